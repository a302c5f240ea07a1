package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.rpc.RpcService;
import org.apache.flink.runtime.rpc.RpcSystem;
import org.junit.jupiter.api.Test;

class SharedRpcSystemTest {
    @Test
    void flinkFindsItAndItWorksWhenAnEarlierUserHasClosedIt() throws Exception {
        RpcSystem first = RpcSystem.load();
        first.close();

        RpcSystem second = RpcSystem.load();

        assertThat(second).isSameAs(first);
        try (RpcService service =
                second.localServiceBuilder(new Configuration()).createAndStart()) {
            assertThat(service.getPort()).isEqualTo(-1);
        }
        assertThat(second.getRpcUrl("localhost", 1, "x", null, new Configuration())).contains("x");
    }
}

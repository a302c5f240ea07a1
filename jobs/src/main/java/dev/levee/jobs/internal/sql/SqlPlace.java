package dev.levee.jobs.internal.sql;

import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.config.Deployment;
import dev.levee.jobs.internal.run.cluster.JobCluster;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.table.api.config.TableConfigOptions;

import java.net.URI;

/** Creates the configuration with which statements are executed. */
public final class SqlPlace {
    private SqlPlace() {}

    /**
     * Returns Flink's options for statements that run on a cluster, or in this process.
     *
     * @param target address of the cluster; null for this process
     * @throws IllegalArgumentException if the address is invalid; one sentence
     * @throws IllegalStateException if no cluster answers; one sentence
     */
    public static Configuration of(String target) {
        Configuration configuration = new Configuration();
        // Waits for the job of each statement; otherwise a script would end before its inserts.
        configuration.set(TableConfigOptions.TABLE_DML_SYNC, true);
        if (target == null) {
            configuration.set(DeploymentOptions.TARGET, "local");
            return configuration;
        }
        Deployment.checkTarget(target);
        URI address = URI.create(target);
        JobCluster.requireAnswer(target);
        configuration.set(DeploymentOptions.TARGET, "remote");
        configuration.set(RestOptions.ADDRESS, address.getHost());
        configuration.set(RestOptions.PORT, address.getPort());
        configuration.set(
                PipelineOptions.JARS,
                LeveeHome.find().jobJars().stream().map(jar -> jar.toUri().toString()).toList());
        return configuration;
    }
}

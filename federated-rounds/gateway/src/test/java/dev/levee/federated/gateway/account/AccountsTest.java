package dev.levee.federated.gateway.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.federated.gateway.account.AccountEvent.Enrolled;
import dev.levee.federated.gateway.account.AccountEvent.Offered;
import dev.levee.federated.gateway.account.AccountEvent.Revoked;
import dev.levee.federated.gateway.account.Accounts.Access;
import dev.levee.federated.gateway.account.Accounts.Outcome;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

class AccountsTest {
    private static final String TOKEN = Secrets.hash("a token");
    private static final String OTHER_TOKEN = Secrets.hash("another token");
    private static final String OWN = Secrets.hash("own");
    private static final String FOREIGN = Secrets.hash("foreign");

    private final Accounts accounts = new Accounts();

    private Outcome enroll(String token, String secret, long at) {
        return accounts.apply(new Enrolled("w3", token, secret), at);
    }

    private void offer(String token, long expires) {
        accounts.apply(new Offered("w3", token, expires), 0);
    }

    @Test
    void aTokenIsUsedOnceAndItsOwnerMayAskAgain() {
        offer(TOKEN, 100);
        assertThat(accounts.access("w3", "own")).isEqualTo(Access.UNKNOWN);
        assertThat(enroll(TOKEN, OWN, 50)).isEqualTo(Outcome.DONE);
        assertThat(accounts.access("w3", "own")).isEqualTo(Access.GRANTED);
        assertThat(enroll(TOKEN, OWN, 60)).isEqualTo(Outcome.DONE);
        assertThat(enroll(TOKEN, FOREIGN, 60)).isEqualTo(Outcome.USED_TOKEN);
        assertThat(accounts.access("w3", "foreign")).isEqualTo(Access.UNKNOWN);
        assertThat(accounts.access("w4", "own")).isEqualTo(Access.UNKNOWN);
        // Not before the token has expired, and not after.
        assertThat(enroll(TOKEN, OWN, 101)).isEqualTo(Outcome.DONE);
    }

    @Test
    void ofTwoWhoUseATokenTheFirstInTheLogHasTheAccount() {
        offer(TOKEN, 100);
        assertThat(enroll(TOKEN, FOREIGN, 1)).isEqualTo(Outcome.DONE);
        assertThat(enroll(TOKEN, OWN, 1)).isEqualTo(Outcome.USED_TOKEN);
        assertThat(accounts.access("w3", "foreign")).isEqualTo(Access.GRANTED);
        assertThat(accounts.access("w3", "own")).isEqualTo(Access.UNKNOWN);
    }

    @Test
    void tokensExpireAndAreOfOneDevice() {
        offer(TOKEN, 100);
        assertThat(enroll(TOKEN, OWN, 101)).isEqualTo(Outcome.EXPIRED_TOKEN);
        assertThat(enroll(OTHER_TOKEN, OWN, 1)).isEqualTo(Outcome.UNKNOWN_TOKEN);
        assertThat(accounts.apply(new Enrolled("w4", TOKEN, OWN), 1))
                .isEqualTo(Outcome.UNKNOWN_TOKEN);
    }

    @Test
    void aRevokedDeviceNeedsANewToken() {
        offer(TOKEN, 100);
        enroll(TOKEN, OWN, 1);
        accounts.apply(new Revoked("w3"), 2);
        assertThat(accounts.access("w3", "own")).isEqualTo(Access.REVOKED);
        assertThat(accounts.certified("w3")).isEqualTo(Access.REVOKED);
        assertThat(accounts.certified("w4")).isEqualTo(Access.GRANTED);
        assertThat(enroll(TOKEN, OWN, 3)).isEqualTo(Outcome.UNKNOWN_TOKEN);
        offer(OTHER_TOKEN, 100);
        assertThat(accounts.certified("w3")).isEqualTo(Access.REVOKED);
        assertThat(enroll(OTHER_TOKEN, OWN, 4)).isEqualTo(Outcome.DONE);
        assertThat(accounts.access("w3", "own")).isEqualTo(Access.GRANTED);
        assertThat(accounts.certified("w3")).isEqualTo(Access.GRANTED);
    }

    @Test
    void aNewTokenReplacesASecretThatWasLost() {
        offer(TOKEN, 100);
        enroll(TOKEN, FOREIGN, 1);
        offer(OTHER_TOKEN, 100);
        enroll(OTHER_TOKEN, OWN, 2);
        assertThat(accounts.access("w3", "own")).isEqualTo(Access.GRANTED);
        assertThat(accounts.access("w3", "foreign")).isEqualTo(Access.UNKNOWN);
        assertThat(enroll(TOKEN, FOREIGN, 3)).isEqualTo(Outcome.USED_TOKEN);
        assertThat(accounts.access("w3", "own")).isEqualTo(Access.GRANTED);
    }

    @Test
    void anEmptySecretOpensNothing() {
        assertThat(accounts.access("w3", "")).isEqualTo(Access.UNKNOWN);
        offer(TOKEN, 100);
        assertThat(accounts.access("w3", "")).isEqualTo(Access.UNKNOWN);
    }

    @Test
    void statesAreThoseOfTheLog() {
        offer(TOKEN, 100);
        accounts.apply(new Offered("w4", OTHER_TOKEN, 100), 0);
        enroll(TOKEN, OWN, 1);
        accounts.apply(new Revoked("w5"), 2);
        assertThat(accounts.states())
                .isEqualTo(
                        Map.of(
                                "w3", Accounts.State.ENROLLED,
                                "w4", Accounts.State.OFFERED,
                                "w5", Accounts.State.REVOKED));
    }

    @Test
    void eventsAreReadAsTheyWereWritten() {
        for (AccountEvent event :
                List.of(
                        new Offered("w3", TOKEN, 1_795_000_000_000L),
                        new Enrolled("w3", TOKEN, OWN),
                        new Revoked("w3"))) {
            assertThat(AccountEvent.of(event.json())).contains(event);
        }
        for (String other : List.of("", "{", "[]", "{\"event\":\"promoted\",\"device\":\"w3\"}")) {
            assertThat(AccountEvent.of(other.getBytes(StandardCharsets.UTF_8))).isEmpty();
        }
        assertThat(AccountEvent.of(null)).isEmpty();
    }

    @Test
    void secretsAreLongAndDifferent() {
        assertThat(Secrets.random()).matches("[A-Za-z0-9_-]{43}").isNotEqualTo(Secrets.random());
        // SHA-256 of "abc", from FIPS 180-4.
        assertThat(Secrets.hash("abc"))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}

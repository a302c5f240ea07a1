package dev.levee.connectors.kafka.wire;

import java.util.HexFormat;

/** Keys known to everybody: the first two tests of RFC 8032, section 7.1. */
final class TestKeys {
    static final SigningKey JOB =
            signing("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
    static final VerifyingKey JOB_PUBLIC =
            verifying("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    static final SigningKey WORKER =
            signing("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    static final VerifyingKey WORKER_PUBLIC =
            verifying("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");

    private TestKeys() {}

    static SigningKey signing(String hex) {
        return new SigningKey(HexFormat.of().parseHex("302e020100300506032b657004220420" + hex));
    }

    static VerifyingKey verifying(String hex) {
        return new VerifyingKey(HexFormat.of().parseHex("302a300506032b6570032100" + hex));
    }
}

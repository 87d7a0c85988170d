// SPDX-License-Identifier: MIT

import Foundation

/// Certificates in DER, made with `openssl req` and `openssl x509`; their keys are gone.
enum Certificates {
    /// An authority.
    static let pinnedRoot = certificate(
        """
        MIIBkzCCATmgAwIBAgIUJ15WZtsTYlMZ40LNOprp4glclSkwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLUGlubmVkIFJvb3QwIBcNMjYxMTMwMTA1ODA4WhgP
        MjEyNjExMDYxMDU4MDhaMBYxFDASBgNVBAMMC1Bpbm5lZCBSb290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEgfgLZSQb1EVUCqUD+q98gn/gGl882Xzy
        YEBEfq39Qm0EPscaqQDeJNKaE3kPUc7BdSshsHEejlOo2SiWyHRiBaNjMGEwHQYDVR0OBBYEFJMA7M1FEKJnHZblk93Z6rYx4QteMB8GA1UdIwQYMBaAFJMA
        7M1FEKJnHZblk93Z6rYx4QteMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMAoGCCqGSM49BAMCA0gAMEUCIGC9bKrM3JFcH1Xq/UY/sxBXq8R9
        FDbkQ0BbF255uNomAiEAgnz4Zj65xpvfTS9Wa4atbuoHDfYu+QNuuMDxkR9SA+Y=
        """)

    /// An authority that `pinnedRoot` issued.
    static let pinnedIntermediate = certificate(
        """
        MIIBmzCCAUGgAwIBAgIUHeCMobrl3rxyoLH28bTpu98E19MwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLUGlubmVkIFJvb3QwIBcNMjYxMTMwMTA1ODA4WhgP
        MjEyNjExMDYxMDU4MDhaMB4xHDAaBgNVBAMME1Bpbm5lZCBJbnRlcm1lZGlhdGUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASEt3xm+2D05jRMtj0ZlpOA
        u2po+4+dFgD56JqYGG+hj5K9FU2P6Xzn6MGz8qm8L9CA4TXrPaMEkPbn7l7b4xjmo2MwYTAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwICBDAdBgNV
        HQ4EFgQU72gnljyoKqAQV15CNJ5up+yLsU0wHwYDVR0jBBgwFoAUkwDszUUQomcdluWT3dnqtjHhC14wCgYIKoZIzj0EAwIDSAAwRQIgTj2lA/JbzvBxZF/7
        Qzxt+wWJsW9iq8ZResBnBUBKW9cCIQD+sVno6n6r8CAl0dZ3eqWolAknRdIhJ1Mg8JjIVKCzjQ==
        """)

    /// example.com, issued by `pinnedIntermediate`; not an authority.
    static let server = certificate(
        """
        MIIBoTCCAUagAwIBAgIUe5TVibOrL7/LFEkeTbUzLRPvj/AwCgYIKoZIzj0EAwIwHjEcMBoGA1UEAwwTUGlubmVkIEludGVybWVkaWF0ZTAgFw0yNjExMzAx
        MDU4MDhaGA8yMTI2MTEwNjEwNTgwOFowFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARLtCFfJkyLXp62d6pfQqGU
        zgnfDM8M+a4xoap4eN/DXmDDSuzJS/R7OK4HGB6UcAUcpEOJ5Hp6bY0OxfQIe6E+o2gwZjAMBgNVHRMBAf8EAjAAMBYGA1UdEQQPMA2CC2V4YW1wbGUuY29t
        MB0GA1UdDgQWBBSoRj2FFxniVabcOkqOljxR6xVIMDAfBgNVHSMEGDAWgBTvaCeWPKgqoBBXXkI0nm6n7IuxTTAKBggqhkjOPQQDAgNJADBGAiEAm3pCWy+l
        yxUCfphdtqQAOlE0UWrieysnm3VaYIqmH4UCIQDwB4PuoTQS1iDy4xO0lBimPmYrLf4ywWAvpsqQvs9Y3Q==
        """)

    /// example.com, issued with the key of `server`.
    static let forged = certificate(
        """
        MIIBijCCATCgAwIBAgIUb642VXbm8iEgsFnn+AL0nDU32vAwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wIBcNMjYxMTMwMTA1ODA4WhgP
        MjEyNjExMDYxMDU4MDhaMBYxFDASBgNVBAMMC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEwDvsgJctRuMO8rme1y2Q3p1ltwTc9EFU
        9df/X0xQUq835YFC5YCHT7twV2Tl5hg9BY6+2Qg90/SCew7KCii2XaNaMFgwFgYDVR0RBA8wDYILZXhhbXBsZS5jb20wHQYDVR0OBBYEFGxZBmFKuovcRwcm
        GqkSBch3dje0MB8GA1UdIwQYMBaAFKhGPYUXGeJVptw6So6WPFHrFUgwMAoGCCqGSM49BAMCA0gAMEUCIA6euSJ1k+m49DTd4GhpaH3X5Fmk/17IxajfJ3sI
        a94YAiEAi89s7G01SvbmY9oMHEQFiiGZMVBQocJdpGiNpbznINM=
        """)

    /// Another authority.
    static let rogueRoot = certificate(
        """
        MIIBkTCCATegAwIBAgIURbETi3qq3Kz8idcksrO6AeGuCbEwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwKUm9ndWUgUm9vdDAgFw0yNjExMzAxMDU4MDhaGA8y
        MTI2MTEwNjEwNTgwOFowFTETMBEGA1UEAwwKUm9ndWUgUm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLX2x7+IJDFYKZX99AEpbi8uZJ4sAKb0ewob
        IQgG3t1TkBMOH763vuRHpm+GFL09Q3BrJaQrLbeCyzw256DQV5CjYzBhMB0GA1UdDgQWBBS4QmXpCDn86YZPhYrmV1CRRa2/FTAfBgNVHSMEGDAWgBS4QmXp
        CDn86YZPhYrmV1CRRa2/FTAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwICBDAKBggqhkjOPQQDAgNIADBFAiEAsWE1VNB4kQEUxgOjhrnFU3X4uSx4
        B+sjsmM7ZCKxYFkCIDxqMTwPwu42TrSVeIFJqhrsun/Zd4Nq7Dfrqb9xW0ye
        """)

    /// example.com, issued by `rogueRoot`.
    static let rogueServer = certificate(
        """
        MIIBiTCCAS+gAwIBAgIUDeF7IORM6ehAQbuK1wl4MthoMEwwCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwKUm9ndWUgUm9vdDAgFw0yNjExMzAxMDU4MDhaGA8y
        MTI2MTEwNjEwNTgwOFowFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATEqcZxsXKV528UHxE1iP1W+wr8sSNrNfqS
        FIWvw3ZP2bbGNAiYrniUjzDZyp/cfNKBN6MBZgT7zDa6BGvyIjUpo1owWDAWBgNVHREEDzANggtleGFtcGxlLmNvbTAdBgNVHQ4EFgQUGIxlDkNJ8o4xkia4
        HBiLcK9WSM0wHwYDVR0jBBgwFoAUuEJl6Qg5/OmGT4WK5ldQkUWtvxUwCgYIKoZIzj0EAwIDSAAwRQIhANyGNQhFVI/biNez/FTq0Ig1lzsZr4sQesD3ik99
        Np84AiACy5PPVhP95MNvTLWxzfqckeOEwVGgVH60OInM6E8/bw==
        """)

    /// An authority that `rogueRoot` issued under the name of `pinnedIntermediate`.
    static let impostor = certificate(
        """
        MIIBmTCCAUCgAwIBAgIUDeF7IORM6ehAQbuK1wl4MthoME0wCgYIKoZIzj0EAwIwFTETMBEGA1UEAwwKUm9ndWUgUm9vdDAgFw0yNjExMzAxMDU4MDhaGA8y
        MTI2MTEwNjEwNTgwOFowHjEcMBoGA1UEAwwTUGlubmVkIEludGVybWVkaWF0ZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEbNZ3nG4ywT/AphyTgEgAQk
        6l7rDBWbGgIjSTFXQ9mgYEeQdykC+h7E15CZqWG8ylL3GOtwH3F85rxEqTRrcPqjYzBhMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1Ud
        DgQWBBQI58zdMubKThPDZBdDfUzaX11vJjAfBgNVHSMEGDAWgBS4QmXpCDn86YZPhYrmV1CRRa2/FTAKBggqhkjOPQQDAgNHADBEAiBVjK0HqTh+umcoAzfK
        BVZAACqizf25lfio5a9Cq8hzwgIgDSc1MQCEgQBnoGca4rEiUsrRonVuu4iOGwjaI6zCppk=
        """)

    /// example.com, issued by `impostor`.
    static let impostorServer = certificate(
        """
        MIIBkjCCATigAwIBAgIUMIs6gFTz1H+BpTkWtZnoi7powp4wCgYIKoZIzj0EAwIwHjEcMBoGA1UEAwwTUGlubmVkIEludGVybWVkaWF0ZTAgFw0yNjExMzAx
        MDU4MDhaGA8yMTI2MTEwNjEwNTgwOFowFjEUMBIGA1UEAwwLZXhhbXBsZS5jb20wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQPv0e5saGkhh5QQna7YLGK
        LBR9B8H4QvOy2aLCh6Wo/pJIBB8SL9sr0lN3teJucvpajIS6mMMJ/2HkpF7Sb8Kmo1owWDAWBgNVHREEDzANggtleGFtcGxlLmNvbTAdBgNVHQ4EFgQURNGt
        GEScF7EZAE8IA1nL/URCqzUwHwYDVR0jBBgwFoAUCOfM3TLmyk4Tw2QXQ31M2l9dbyYwCgYIKoZIzj0EAwIDSAAwRQIhANyUwfJ10Ypx2z8iksD2Gbn1gX5L
        7vvdpr7fYcUYlIQqAiAz886N/NxCSM0AdgmVN3F7oAFvMIr794LC09PLwxfcLA==
        """)

    /// localhost, issued by itself.
    static let selfSigned = certificate(
        """
        MIIBfzCCASWgAwIBAgIUf7wkBsRCLvZmkuWc9YVcJ4ha0EUwCgYIKoZIzj0EAwIwFDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEzMDEwNTgwOFoYDzIx
        MjYxMTA2MTA1ODA4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATFrES0RSuByW2xS44g9p5qXx5WnrE+uSS9hJmc
        LSK2tmDsxuhotxE8o+LKjfBsT1qJD4QHLeVGdGquoazWiiS6o1MwUTAdBgNVHQ4EFgQUBBoAuOHTNxJ1A0UginBANJdYlpcwHwYDVR0jBBgwFoAUBBoAuOHT
        NxJ1A0UginBANJdYlpcwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEAnrzpx+kpD8O0ru2cHm/jf/fgg9hUymA4ed+tGiTC3isCIA7AFX3W
        FQVwODIRHrp2upM+uxVNOqCIm6SkK3eeRO8N
        """)

    /// Version 1, with an RSA key, issued by itself.
    static let versionOne = certificate(
        """
        MIICozCCAYsCFDITsKOLv7qlsLwfTFkgmcwQ/PtZMA0GCSqGSIb3DQEBCwUAMA0xCzAJBgNVBAMMAnYxMCAXDTI2MTEzMDEwNTgwOFoYDzIxMjYxMTA2MTA1
        ODA4WjANMQswCQYDVQQDDAJ2MTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAMGgG+EkP72EjSm40XpyWjYVL7VjfYkWr8cQ1cGXA3ScYuyzy41H
        GrQTwf1K2pR2idBmWc4xHk9kNndylWWSgbbayNmHk9iYGgh7t1XUp2FHm24rxjZrAO2MitS5gRMlY5cV0IEgFuufiiyNpN+s2VYhzrLQZco603gH1n71rOpr
        pInf+tP6J2e0PPzWsiYH5jIjnlOD0q2P/3/9DZxV6cRYsgq3Ak3Y+QQLDG7OlJGbOse9RioAfbC4qWZZzn/4D6AXGMXKiYR5Oz5pFq8mBEyCu/nalQtdeWQA
        4jdNbc79NX0VPdFA210OMFHCetMJ6pbYoglEjSYGqRqZJNRtOZMCAwEAATANBgkqhkiG9w0BAQsFAAOCAQEAs8hpJTZ+z82LHg3oouO5qHOMG5qfUGpIXHOu
        vl7LBGzRTifi1zaarUd14uK/X0N85l3a6feMfZmv3aDRLqDY91FxmJMkYTnuZEdFyvLy1ywjqXBh+UC26T+BPkF6FnPKfN5ZjCL+sjAkncLptrVUbnrYVDYc
        QFgEuaiHJ0k8g6A6qrN3AJSdvdW1faSSmjpajZXl2nJ8ifJhnkwrCoLVDQS7JZ55aEpEMPSGOEjUsewCQNl0Q2Y9wMqTG1KRpHFD4apXXSww7qN7g9Ghly/U
        t8+E/SB4mOw43dlOsy5dCPMl5h4mSqJVKShBlk9tllE/rupd64m0rSwF4JBDUz18iA==
        """)

    /// The key of `server`, as OpenSSL writes it.
    static let serverKey = certificate(
        """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAES7QhXyZMi16etneqX0KhlM4J3wzPDPmuMaGqeHjfw15gw0rsyUv0eziuBxgelHAFHKRDieR6em2NDsX0CHuh
        Pg==
        """)

    /// The key of `pinnedRoot`, as OpenSSL writes it.
    static let pinnedRootKey = certificate(
        """
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEgfgLZSQb1EVUCqUD+q98gn/gGl882XzyYEBEfq39Qm0EPscaqQDeJNKaE3kPUc7BdSshsHEejlOo2SiWyHRi
        BQ==
        """)

    /// The key of `versionOne`, as OpenSSL writes it.
    static let versionOneKey = certificate(
        """
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwaAb4SQ/vYSNKbjRenJaNhUvtWN9iRavxxDVwZcDdJxi7LPLjUcatBPB/UralHaJ0GZZzjEeT2Q2
        d3KVZZKBttrI2YeT2JgaCHu3VdSnYUebbivGNmsA7YyK1LmBEyVjlxXQgSAW65+KLI2k36zZViHOstBlyjrTeAfWfvWs6mukid/60/onZ7Q8/NayJgfmMiOe
        U4PSrY//f/0NnFXpxFiyCrcCTdj5BAsMbs6UkZs6x71GKgB9sLipZlnOf/gPoBcYxcqJhHk7PmkWryYETIK7+dqVC115ZADiN01tzv01fRU90UDbXQ4wUcJ6
        0wnqltiiCUSNJgapGpkk1G05kwIDAQAB
        """)

    private static func certificate(_ base64: String) -> Data {
        Data(base64Encoded: base64, options: .ignoreUnknownCharacters) ?? Data()
    }
}

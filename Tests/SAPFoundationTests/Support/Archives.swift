// SPDX-License-Identifier: MIT

import Foundation

/// PKCS#12 archives of one self-signed certificate and its key, which serve for nothing else. Made by `openssl pkcs12 -export`.
enum Archives {
    static let passphrase = "open sesame"

    /// As tools wrote them before OpenSSL 3: the certificate under RC2 with 40 bits, the key under Triple DES.
    static let legacy = archive(
        """
        MIIDmgIBAzCCA2AGCSqGSIb3DQEHAaCCA1EEggNNMIIDSTCCAj8GCSqGSIb3DQEHBqCCAjAwggIsAgEAMIICJQYJKoZIhvcNAQcBMBwGCiqGSIb3DQEMAQYwDgQIpPMA
        wma1OFUCAggAgIIB+DGe+48W3aygsckEZOfUz4glC8PXXOXj94mMbiIwTtujeh5Rwyc+w9KLx5eiJiZeruSuGQsuvdVrSe5jcZNH2ktfdYR/g8bT9FD/lvaJ1T+owFyw
        l4qjTsEYYoyxeeeGPpGdPhcNREJN3QU7208At/Q9NTQbCwE+YNS2+z616rWiUpYXFSBrVaDcTSir3wUgg/Y9LL5WXX2/ywk6jCe1SMtHyKT0vY6KU4S0/mLlggGDN29F
        nhAgJ20mLGCfoEJuuWQxniQKsczJhJhFkMQaFExxVNAELaIzfhKo/aoUh7a7VtAAdH/8CnyiLK6BLlXLskrqFHewwdfDqJunTNLdWTBaNwPUOMFYL5NsZoajyyYsyKgA
        5u1tehUJZ/5faNxluf38ce2SbDtZQIGwsn5lHNdXapQQsmzjd6cjy8zk8BLYZ66cbMEC+f1WfgrqjiQs2Vn3r8wLN2b4CdKm3DzIlTANbt8ySifk1DnEBdC9iASpyKTV
        O7F3U1FU5FonJ2za42scDAFqKaur+saz39aykMMLASYNPoDzk+p1z0F7bpxJlqE/ixWDj3I0RLmACRU8/W31hgBSgNysQ4IyNTQQd/1ea4zl99Z8IAKF5PRdQLTga29/
        VyGYu01+FDuM7RXru0lxilPt0BjiyvR7RVup1htFyYVdg9BQHzCCAQIGCSqGSIb3DQEHAaCB9ASB8TCB7jCB6wYLKoZIhvcNAQwKAQKggbQwgbEwHAYKKoZIhvcNAQwB
        AzAOBAjt178egpGK7gICCAAEgZCft91cEntTVKXKIUhy3GcJL3LT9Bqtc/7Lmg80zrZUnKk0ug9YC81GVtlNSPleHWW8/dmEGWsKpAoqvVfGQwsuxeM0I7lcOR+5Mi+p
        MFH39i6a6g2ugKioy8s95qjZofoRkgMJDTjhoX3MW/A/O7uBcvxtta30rppVzLlT5PenI3zujoPthGa54qdns5iehQ0xJTAjBgkqhkiG9w0BCRUxFgQU/ghUwJD2CMVl
        75gubFA2b6DJtAAwMTAhMAkGBSsOAwIaBQAEFF4TMAqKMD2goy4BOVJIYXpbxGlHBAiz79nWBxT4oAICCAA=
        """)

    /// Without a key.
    static let certificateOnly = archive(
        """
        MIICtwIBAzCCAm0GCSqGSIb3DQEHAaCCAl4EggJaMIICVjCCAlIGCSqGSIb3DQEHBqCCAkMwggI/AgEAMIICOAYJKoZIhvcNAQcBMFcGCSqGSIb3DQEFDTBKMCkGCSqG
        SIb3DQEFDDAcBAgq+ZwDu2o6UwICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEA5BVmv1D4In33CJwRh33puAggHQu4zEijm1+mxFriywmcnehYuBVGCsxH2P
        bG5YRaVUucTDQ225fubw8kCH7aqF1BJc++HCz1eqsw6zdMR8b72g3Rppsm4L304LzYkgxnEnZP7RaXU6brDcK0+RAHbXtmQ05H47y1rhO3VeQ0py0ZslI1Lp8+V/pSr6
        QX4obCtMtXnM37xZvzDydEw52NzS3a4vawucLzAwkvHOvBAEQWeTJjc9YSp9K8cUmOxSUnVP9wZIqS1g2eIVbSrLQ2JKsIeRHAvhH9SjoWHgWsBLTpJmK7z9PsgXoR25
        Mm1G1BoDW+vmpz0Ga8FqV4QHWSB7RoYCl0GE+ltzes5mNvnO2Iu3VWWLRlxnL4oTHRTG5Kjp83Hn/VxwTD/uTAczHhv1tw5B3Uq+tJ5bqznMiyWiYkQ18MSjP3Hkx+gi
        qUNs0CCyZ16n4MnEiKt6AzssIBwR4+QJHofEixlvwVpRBdLDJKvaK1gexSbdGU3tdSY5JZJOlw3IbMeA33UTJoYqvPKbGHk7kYlmzYLfVfaHabViOK3A8B4+3usQQ3L1
        buNKdUP+EcIYnYBPC5DI1T4xbX18MX6tSHLiDGMtbpoSBzRNxxroJ+w92CyGUjviXBv5CVFpjuIwQTAxMA0GCWCGSAFlAwQCAQUABCCfQXr/KcQ5WInZ7evXEJ0z24gs
        XvvQp+I/K8qIu8vCrwQIV6NSiJzgM+gCAggA
        """)

    /// Without a certificate.
    static let keyOnly = archive(
        """
        MIIBfgIBAzCCATQGCSqGSIb3DQEHAaCCASUEggEhMIIBHTCCARkGCSqGSIb3DQEHAaCCAQoEggEGMIIBAjCB/wYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUN
        MEowKQYJKoZIhvcNAQUMMBwECLGU82Hlvtp1AgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQkY8Tky68FL2HvucOSY3ahASBkAkuz7OxRzSJmxCCinB9zUYX
        NdKRcYc2uPIkF2IeFvexRIyTk7ZEX7Zt/A1vfggsPr57WtsbmlpvXMbavPHVrErnrM7J15LeMQ/7hGGB+d+5gNin+yx7oIyDx9VBwqPhWxj8GO5hy5TjlyPtUffCUfc/
        BTFgMw1CoVBT74ZhPhAhIezzMGxlLhTxqNPz7TEytzBBMDEwDQYJYIZIAWUDBAIBBQAEIOhkBsxCWF2kQS2eMnbWta/OXyCtidRx/ysCoR4FfTA7BAhrC6r7o/kx2AIC
        CAA=
        """)

    /// Without a code that tells whether the passphrase is right.
    static let withoutCode = archive(
        """
        MIIDbQIBAzCCA2YGCSqGSIb3DQEHAaCCA1cEggNTMIIDTzCCAgYGCSqGSIb3DQEHAaCCAfcEggHzMIIB7zCCAesGCyqGSIb3DQEMCgEDoIIBszCCAa8GCiqGSIb3DQEJ
        FgGgggGfBIIBmzCCAZcwggE9oAMCAQICFEzWGEugXO7AnpNYCBCYFyCTIyzfMAoGCCqGSM49BAMCMCAxHjAcBgNVBAMMFU9wZW5Nb3lhIHRlc3QgYXJjaGl2ZTAgFw0y
        NjExMzAyMDAyNTJaGA8yMTI2MTEwNjIwMDI1MlowIDEeMBwGA1UEAwwVT3Blbk1veWEgdGVzdCBhcmNoaXZlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEXdSlowSc
        S8wBTGcKmwg9Gb+grinVuJXadoXt1jyV6c81x7KDDztPZ6pmSk1+wgysmJKKAaB8davfxcABYzaFzaNTMFEwHQYDVR0OBBYEFKAfKlHOzfkiSDty59Uao4ewwo9DMB8G
        A1UdIwQYMBaAFKAfKlHOzfkiSDty59Uao4ewwo9DMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhANxcmM1mPk7kAOL6Hc9uHzRyh+kJYT7BZ5W+/Uwz
        Tg/RAiB2dcq2F6Yg18pnPF5zRgs9zABYgnW19hXUOsAF8DMuOjElMCMGCSqGSIb3DQEJFTEWBBT+CFTAkPYIxWXvmC5sUDZvoMm0ADCCAUEGCSqGSIb3DQEHAaCCATIE
        ggEuMIIBKjCCASYGCyqGSIb3DQEMCgECoIHvMIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjJs5/IYBwvMgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgB
        ZQMEASoEECjdqOmt8x46IPWBZIw6UdoEgZAD8YRU3umbJSeAOamYBI/qLv51ERXlwSvjILZ3UjERFB0OT98uj2A/O2Q38i47kC+Xo+KBtEMtUGu9YO/8UAMEpzG6FGAm
        NUfrfPO+DpqQiHqQpcKuxojKhhXZUPvlUOGcLfB25RSGz9XejOlK63sW6QqyiHppd5mF8iXgXxHPEcserbGC7G1qmnIMnLDa9QoxJTAjBgkqhkiG9w0BCRUxFgQU/ghU
        wJD2CMVl75gubFA2b6DJtAA=
        """)

    private static func archive(_ text: String) -> Data { Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data() }
}

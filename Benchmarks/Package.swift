// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// Programs that do the same work, run in turn by `Scripts/benchmark`. A package of its own, so that users of OpenMoya never build it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    traits: [
        .default(enabledTraits: ["Curl"]),
        .trait(name: "Curl", description: "OpenMoya over libcurl on Linux. Off: over URLSession there too."),
        .trait(name: "AsyncHTTPClient", description: "The program that does its work with the package AsyncHTTPClient."),
        .trait(name: "Alamofire", description: "The program that does its work with the package Alamofire."),
    ],
    dependencies: [
        .package(name: "OpenMoya", path: "..", traits: [.trait(name: "Curl", condition: .when(traits: ["Curl"]))]),
        // Resolved and fetched only when their trait is on.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.30.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        .package(url: "https://github.com/Alamofire/Alamofire.git", from: "5.10.0"),
    ],
    targets: [
        // The yardstick: what libcurl itself can do, in C.
        .executableTarget(name: "CurlMulti", dependencies: ["WorkReport"], linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "OpenMoyaPeer",
            dependencies: [
                "BenchmarkFrame", .product(name: "Moya", package: "OpenMoya"), .product(name: "HTTPSessions", package: "OpenMoya"),
            ]),
        .executableTarget(name: "URLSessionPeer", dependencies: ["BenchmarkFrame"]),
        .executableTarget(
            name: "AsyncHTTPClientPeer",
            dependencies: [
                "BenchmarkFrame",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["AsyncHTTPClient"])),
            ]),
        .executableTarget(
            name: "AlamofirePeer",
            dependencies: [
                "BenchmarkFrame", .product(name: "Alamofire", package: "Alamofire", condition: .when(traits: ["Alamofire"])),
            ]),
        // What the Swift programs have in common: each is one client, which does what its command line says.
        .target(name: "BenchmarkFrame", dependencies: ["WorkReport"]),
        // Runs any program and reports its time, CPU and memory.
        .executableTarget(name: "Measured", dependencies: ["WorkReport"]),
        // Time, CPU and memory, and the line about them that each program prints.
        .target(name: "WorkReport"),
    ],
    swiftLanguageModes: [.v6]
)

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
        .executableTarget(name: "CurlMulti", linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "OpenMoyaPeer",
            dependencies: [
                "BenchmarkReport", .product(name: "Moya", package: "OpenMoya"), .product(name: "HTTPSessions", package: "OpenMoya"),
            ]),
        .executableTarget(name: "URLSessionPeer", dependencies: ["BenchmarkReport"]),
        .executableTarget(
            name: "AsyncHTTPClientPeer",
            dependencies: [
                "BenchmarkReport",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["AsyncHTTPClient"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["AsyncHTTPClient"])),
            ]),
        .executableTarget(
            name: "AlamofirePeer",
            dependencies: [
                "BenchmarkReport", .product(name: "Alamofire", package: "Alamofire", condition: .when(traits: ["Alamofire"])),
            ]),
        .target(name: "BenchmarkReport"),
        // Runs any program and reports its time, CPU and memory.
        .executableTarget(name: "Measured"),
    ],
    swiftLanguageModes: [.v6]
)

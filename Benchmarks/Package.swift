// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// Programs that do the same work, run in turn by `Scripts/benchmark`. A package of its own, so that users of OpenMoya never build it.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenMoya", path: "..")],
    targets: [
        // The yardstick: what libcurl itself can do, in C.
        .executableTarget(name: "CurlMulti", linkerSettings: [.linkedLibrary("curl")]),
        .executableTarget(
            name: "OpenMoyaPeer",
            dependencies: [
                "BenchmarkReport", .product(name: "Moya", package: "OpenMoya"), .product(name: "HTTPSessions", package: "OpenMoya"),
            ]),
        .executableTarget(name: "URLSessionPeer", dependencies: ["BenchmarkReport"]),
        .target(name: "BenchmarkReport"),
        // Runs any program and reports its time, CPU and memory.
        .executableTarget(name: "Measured"),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT

import PackageDescription

/// libcurl is used on Linux only, and there only while the trait `Curl` is on.
let whereCurlIs: TargetDependencyCondition? = .when(platforms: [.linux], traits: ["Curl"])
/// The same of libsecret.
let whereLibsecretIs: TargetDependencyCondition? = .when(platforms: [.linux], traits: ["SecretService"])

let package = Package(
    name: "OpenMoya",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Moya", targets: ["Moya"]),
        .library(name: "ReactiveMoya", targets: ["ReactiveMoya"]),
        .library(name: "RxMoya", targets: ["RxMoya"]),
        .library(name: "CombineMoya", targets: ["CombineMoya"]),
        .library(name: "SAPFoundation", targets: ["SAPFoundation"]),
        .library(name: "HTTPSessions", targets: ["HTTPSessions"]),
        .library(name: "HTTPTesting", targets: ["HTTPTesting"]),
        .executable(name: "openmoya-demo", targets: ["Demo"]),
    ],
    traits: [
        .default(enabledTraits: ["Curl"]),
        .trait(name: "Curl", description: "CurlEngine, the transport over libcurl, on Linux. Off: URLSessionEngine there too."),
        .trait(
            name: "ReactiveSwift", description: "ReactiveMoya over the package ReactiveSwift instead of the subset of it that is included."),
        .trait(name: "RxSwift", description: "RxMoya, which needs the package RxSwift."),
        .trait(name: "SecretService", description: "A store of secrets in the desktop's keyring on Linux, over libsecret."),
        .trait(name: "OpenCombine", description: "CombineMoya where the system has no Combine, over the package OpenCombine."),
    ],
    // Resolved and fetched only when their trait is on.
    dependencies: [
        .package(url: "https://github.com/ReactiveCocoa/ReactiveSwift.git", from: "7.1.0"),
        .package(url: "https://github.com/ReactiveX/RxSwift.git", from: "6.0.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
    ],
    // In the order in which a request meets them.
    targets: [
        .target(
            name: "ReactiveMoya",
            dependencies: [
                "Moya", "ReactiveSignals",
                .product(name: "ReactiveSwift", package: "ReactiveSwift", condition: .when(traits: ["ReactiveSwift"])),
            ]),
        .target(
            name: "RxMoya",
            dependencies: ["Moya", .product(name: "RxSwift", package: "RxSwift", condition: .when(traits: ["RxSwift"]))]),
        .target(
            name: "CombineMoya",
            dependencies: [
                "Moya", "HTTPMessages",
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: .when(platforms: [.linux, .android, .windows], traits: ["OpenCombine"])),
            ]),
        .target(name: "ReactiveSignals"),
        .target(name: "Moya", dependencies: ["HTTPSessions", "HTTPAuthentication", "HTTPMessages"]),
        .target(
            name: "SAPFoundation",
            dependencies: [
                "HTTPSessions", "HTTPAuthentication", "HTTPMessages", .target(name: "CCryptoShim", condition: .when(platforms: [.linux])),
            ]),
        .target(
            name: "HTTPSessions",
            dependencies: [
                "HTTPAuthentication", "HTTPMessages", "URLSessionEngine",
                .target(name: "CurlEngine", condition: whereCurlIs),
                .target(name: "CCryptoShim", condition: .when(platforms: [.linux])),
            ]),
        .target(
            name: "HTTPAuthentication",
            dependencies: [
                "HTTPMessages", .target(name: "CCryptoShim", condition: .when(platforms: [.linux])),
                .target(name: "CSecretService", condition: whereLibsecretIs),
            ]),
        .target(name: "HTTPMessages"),
        .target(
            name: "CurlEngine",
            dependencies: [
                "HTTPMessages", .target(name: "CCurlShim", condition: whereCurlIs),
                .target(name: "CCryptoShim", condition: whereCurlIs),
            ]),
        .target(name: "URLSessionEngine", dependencies: ["HTTPMessages"]),
        .target(
            name: "CCurlShim",
            linkerSettings: [.linkedLibrary("curl", .when(platforms: [.linux], traits: ["Curl"]))]),
        .target(name: "CCryptoShim", linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),

        .systemLibrary(name: "CSecretService", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),

        .target(name: "HTTPTesting", dependencies: ["HTTPSessions", "HTTPAuthentication", "HTTPMessages"]),
        .executableTarget(
            name: "Demo", dependencies: ["Moya", "HTTPSessions", "HTTPTesting", "ExampleTerminal"], path: "Examples/Demo"),
        // The guides that the package's interfaces come from, as programs that talk to real servers: Scripts/examples runs them.
        .executableTarget(
            name: "AuthenticationGuide", dependencies: ["Moya", "HTTPSessions", "HTTPTesting", "ExampleTerminal"],
            path: "Examples/AuthenticationGuide"),
        .executableTarget(
            name: "SAPLogin", dependencies: ["SAPFoundation", "HTTPTesting", "ExampleTerminal"], path: "Examples/SAPLogin"),
        .target(name: "ExampleTerminal", path: "Examples/Terminal"),

        .testTarget(name: "ReactiveSignalsTests", dependencies: ["ReactiveSignals"]),
        // Statements that hold for every reactive surface, run by the tests of each.
        .target(name: "ReactiveSuite", dependencies: ["Moya", "HTTPTesting"], path: "Tests/ReactiveSuite"),
        .testTarget(name: "ReactiveMoyaTests", dependencies: ["ReactiveMoya", "ReactiveSuite", "HTTPTesting"]),
        // The guide's code again, as callers compile it who are in the Swift 5 language mode.
        .testTarget(
            name: "ReactiveMoyaSwift5Tests", dependencies: ["ReactiveMoya"], swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "RxMoyaTests",
            dependencies: [
                "RxMoya", "ReactiveSuite", "HTTPTesting",
                .product(name: "RxSwift", package: "RxSwift", condition: .when(traits: ["RxSwift"])),
            ]),
        .testTarget(
            name: "CombineMoyaTests",
            dependencies: [
                "CombineMoya", "ReactiveSuite", "HTTPTesting",
                .product(
                    name: "OpenCombine", package: "OpenCombine",
                    condition: .when(platforms: [.linux, .android, .windows], traits: ["OpenCombine"])),
            ]),
        .testTarget(name: "MoyaTests", dependencies: ["Moya", "HTTPSessions", "HTTPMessages", "HTTPTesting", "AuthenticationSuite"]),
        // Source as it is written for Swift 5, existential types without `any` included.
        .testTarget(name: "MoyaSwift5Tests", dependencies: ["Moya", "HTTPTesting"], swiftSettings: [.swiftLanguageMode(.v5)]),
        // Source whose default isolation is the main actor, as in new Xcode projects.
        .testTarget(name: "MoyaMainActorTests", dependencies: ["Moya"], swiftSettings: [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "SAPFoundationTests",
            dependencies: [
                "SAPFoundation", "HTTPSessions", "HTTPAuthentication", "HTTPMessages", "HTTPTesting", "AuthenticationSuite", "StoreTool",
                "URLSessionEngine",
            ]),
        .testTarget(
            name: "HTTPSessionsTests",
            dependencies: ["HTTPSessions", "HTTPAuthentication", "HTTPMessages", "HTTPTesting", "AuthenticationSuite", "StoreTool"]),
        .testTarget(
            name: "HTTPAuthenticationTests",
            dependencies: ["HTTPAuthentication", "HTTPMessages", "HTTPTesting", "AuthenticationSuite", "StoreTool"]),
        // A server that rotates tokens, for the tests of all who refresh them, and a program to share a store with.
        .target(
            name: "AuthenticationSuite", dependencies: ["HTTPSessions", "HTTPMessages", "HTTPTesting"], path: "Tests/AuthenticationSuite"),
        .executableTarget(
            name: "StoreTool",
            dependencies: ["AuthenticationSuite", "SAPFoundation", "HTTPSessions", "HTTPAuthentication", "HTTPMessages"],
            path: "Tests/StoreTool"),
        .testTarget(name: "HTTPMessagesTests", dependencies: ["HTTPMessages"]),
        // Scenarios that every transport has to pass, run by the engines' tests.
        .target(name: "TransportSuite", dependencies: ["HTTPMessages", "HTTPTesting"], path: "Tests/TransportSuite"),
        .testTarget(
            name: "CurlEngineTests",
            dependencies: [
                "HTTPMessages", "HTTPTesting", "TransportSuite", "AuthenticationSuite", .target(name: "CurlEngine", condition: whereCurlIs),
            ]),
        .testTarget(name: "URLSessionEngineTests", dependencies: ["URLSessionEngine", "HTTPMessages", "HTTPTesting", "TransportSuite"]),
        .testTarget(name: "HTTPTestingTests", dependencies: ["HTTPTesting", "HTTPSessions", "HTTPMessages"]),
        // The examples' programs, run as a person would.
        .testTarget(name: "ExamplesTests", dependencies: ["AuthenticationGuide", "SAPLogin", "HTTPTesting"]),
        // All modules at once: no secret shows, whatever is printed.
        .testTarget(
            name: "SecretsTests",
            dependencies: [
                "Moya", "SAPFoundation", "HTTPSessions", "HTTPAuthentication", "HTTPMessages", "HTTPTesting", "AuthenticationSuite",
            ]),
        // Long runs over the whole stack; they run only where the environment has OPENMOYA_STRESS.
        .testTarget(
            name: "StressTests",
            dependencies: [
                "Moya", "HTTPSessions", "HTTPMessages", "HTTPTesting", "AuthenticationSuite",
                .target(name: "CurlEngine", condition: whereCurlIs),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where !["CCurlShim", "CCryptoShim", "CSecretService", "MoyaSwift5Tests"].contains(target.name) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.enableUpcomingFeature("ExistentialAny")]
}

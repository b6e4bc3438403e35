// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]

/// A library target, and the only modules it may import.
func module(_ name: String, imports: [String] = [], system: [String] = []) -> Target {
  .target(
    name: name,
    dependencies: (imports + system).map { .byName(name: $0) },
    path: "Sources/\(name)",
    swiftSettings: settings)
}

func tests(_ module: String, imports: [String]) -> Target {
  .testTarget(
    name: "\(module)Tests",
    dependencies: (imports + ["TestSupport"]).map { .byName(name: $0) },
    path: "Tests/\(module)Tests",
    swiftSettings: settings)
}

func example(_ name: String, imports: [String]) -> Target {
  .executableTarget(
    name: name, dependencies: (imports + ["ExampleSupport"]).map { .byName(name: $0) }, path: "Examples/\(name)",
    swiftSettings: settings)
}

func systemLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/SystemLibraries/\(name)", pkgConfig: pkgConfig,
    providers: [.apt([apt])])
}

let package = Package(
  name: "audiopipe",
  products: [
    .library(name: "LockFree", targets: ["LockFree"]),
    .library(name: "AudioGraph", targets: ["AudioGraph"]),
    .library(name: "Resampling", targets: ["Resampling"]),
    .library(name: "FrameObservers", targets: ["FrameObservers"]),
    // Links FFTW, which is under the GPL; no other product does.
    .library(name: "PitchDetection", targets: ["PitchDetection"]),
    .library(name: "Effects", targets: ["Effects"]),
    .library(name: "Transport", targets: ["Transport"]),
    .library(name: "NetworkIO", targets: ["NetworkIO"]),
    .library(name: "Engine", targets: ["Engine"]),
    .library(name: "Simulation", targets: ["Simulation"]),
    .executable(name: "audiopipe", targets: ["audiopipe"]),
  ],
  targets: [
    systemLibrary("COpus", pkgConfig: "opus", apt: "libopus-dev"),
    systemLibrary("CSampleRate", pkgConfig: "samplerate", apt: "libsamplerate0-dev"),
    systemLibrary("CSoxr", pkgConfig: "soxr", apt: "libsoxr-dev"),
    systemLibrary("CFFTW", pkgConfig: "fftw3f", apt: "libfftw3-dev"),
    systemLibrary("CEBUR128", pkgConfig: "libebur128", apt: "libebur128-dev"),
    systemLibrary("CSndFile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
    systemLibrary("CSRTP", pkgConfig: "libsrtp2", apt: "libsrtp2-dev"),
    .target(name: "CPlatform", path: "Sources/SystemLibraries/CPlatform"),

    module("LockFree"),
    module("AudioGraph", imports: ["LockFree"], system: ["CPlatform"]),
    module("Resampling", imports: ["AudioGraph"], system: ["CSampleRate", "CSoxr"]),
    module("FrameObservers", imports: ["AudioGraph", "Resampling"]),
    module("PitchDetection", imports: ["AudioGraph"], system: ["CFFTW"]),
    module("Effects", imports: ["AudioGraph"]),
    module("Transport", system: ["CSRTP"]),
    module("NetworkIO", system: ["CPlatform"]),
    module(
      "Engine",
      imports: ["AudioGraph", "Resampling", "FrameObservers", "Effects", "Transport", "NetworkIO"],
      system: ["COpus", "CSndFile", "CEBUR128", "CPlatform"]),
    module("Simulation", imports: ["AudioGraph", "FrameObservers", "Effects", "Transport", "NetworkIO", "Engine"]),
    .executableTarget(
      name: "audiopipe",
      dependencies: [
        "AudioGraph", "Resampling", "FrameObservers", "PitchDetection", "Effects", "Transport", "NetworkIO", "Engine",
        "Simulation", "CPlatform", "COpus", "CSampleRate", "CSoxr", "CSndFile", "CEBUR128", "CFFTW", "CSRTP",
      ],
      swiftSettings: settings),

    // Measured against the same work in C and C++; see Benchmarks/Benchmarks.swift.
    .systemLibrary(
      name: "CAubio", path: "Benchmarks/CAubio", pkgConfig: "aubio", providers: [.apt(["libaubio-dev"])]),
    .systemLibrary(
      name: "CSoundTouch", path: "Benchmarks/CSoundTouch", pkgConfig: "soundtouch",
      providers: [.apt(["libsoundtouch-dev"])]),
    .systemLibrary(
      name: "CSpeexDSP", path: "Benchmarks/CSpeexDSP", pkgConfig: "speexdsp",
      providers: [.apt(["libspeexdsp-dev"])]),
    .target(
      name: "BenchmarkTwins", dependencies: ["COpus", "CAubio", "CSndFile", "CSoundTouch", "CSpeexDSP"],
      path: "Benchmarks/Twins"),
    // Voices whose pitch is known, for tests and benchmarks.
    .target(name: "VoiceCorpus", path: "Tests/VoiceCorpus", swiftSettings: settings),
    .target(name: "CountingAllocator", path: "Tests/RealTimeGate/CountingAllocator"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "LockFree", "AudioGraph", "FrameObservers", "PitchDetection", "Effects", "Engine", "Transport", "NetworkIO",
        "BenchmarkTwins",
        "CountingAllocator", "VoiceCorpus",
      ],
      path: "Benchmarks", exclude: ["Twins", "CAubio", "CSoundTouch", "CSpeexDSP"], swiftSettings: settings),
    // Finds the weights of PitchDetection's model.
    .executableTarget(
      name: "PitchModelFit", dependencies: ["PitchDetection", "VoiceCorpus"], path: "Tests/PitchModelFit",
      swiftSettings: settings),
    // Run by Tests/Comparisons/receiver.
    .executableTarget(
      name: "ReceiverComparison", dependencies: ["AudioGraph", "Engine", "Simulation", "Transport"],
      path: "Tests/Comparisons/ReceiverComparison", swiftSettings: settings),
    // Run by Tests/Gates/real-time.
    .executableTarget(
      name: "RealTimeGate",
      dependencies: [
        "AudioGraph", "FrameObservers", "PitchDetection", "Effects", "Transport", "NetworkIO", "Engine",
        "CountingAllocator",
      ],
      path: "Tests/RealTimeGate", exclude: ["CountingAllocator"], swiftSettings: settings),

    .target(
      name: "ExampleSupport", dependencies: ["Engine"], path: "Examples/ExampleSupport", swiftSettings: settings),
    example("ObserveThreePositions", imports: ["Engine", "FrameObservers"]),
    example("ChangeFrames", imports: ["AudioGraph", "Effects", "Engine", "FrameObservers"]),
    example("PushBack", imports: ["AudioGraph", "Engine", "FrameObservers"]),
    example("AsyncFrames", imports: ["AudioGraph", "Engine", "FrameObservers"]),
    example("CustomNode", imports: ["AudioGraph", "Engine"]),
    example("Karaoke", imports: ["AudioGraph", "PitchDetection", "Engine"]),
    example("Soundboard", imports: ["AudioGraph", "Engine"]),
    example("ModerationMeter", imports: ["AudioGraph", "FrameObservers", "Engine"]),

    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
    tests("LockFree", imports: ["LockFree"]),
    tests("AudioGraph", imports: ["AudioGraph"]),
    tests("Resampling", imports: ["AudioGraph", "Resampling"]),
    tests("FrameObservers", imports: ["AudioGraph", "Resampling", "FrameObservers"]),
    tests("PitchDetection", imports: ["AudioGraph", "PitchDetection", "VoiceCorpus"]),
    tests("Effects", imports: ["AudioGraph", "Effects", "VoiceCorpus"]),
    // libopus as an oracle for what is a packet.
    tests("Transport", imports: ["Transport", "COpus"]),
    tests("NetworkIO", imports: ["AudioGraph", "NetworkIO", "Simulation"]),
    tests(
      "Engine",
      imports: ["AudioGraph", "FrameObservers", "PitchDetection", "Effects", "Transport", "NetworkIO", "Engine"]),
    tests("Simulation", imports: ["AudioGraph", "FrameObservers", "Engine", "Simulation", "Transport"]),
    tests("audiopipe", imports: ["audiopipe", "Effects", "Engine", "NetworkIO", "Simulation", "VoiceCorpus"]),
  ]
)

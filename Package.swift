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

/// Whether the build is that of `make test`: modules that compute little are not optimised there, which takes a quarter of
/// the time. Other builds, and packages that depend on this one, never see these flags.
let isTestBuild = Context.environment["AUDIOPIPE_TEST_BUILD"] != nil
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"])]

/// A library target. It may import the modules named here and those that they import; the lint reads this list.
///
/// - Parameter compute: whether samples or packets are worked on there, so that its optimisation pays in tests, too.
func module(
  _ name: String, imports: [String] = [], system: [String] = [], folder: String? = nil, compute: Bool = false
) -> Target {
  .target(
    name: name,
    dependencies: (imports + system).map { .byName(name: $0) },
    path: "Sources/\(folder ?? name)",
    swiftSettings: settings + (isTestBuild && !compute ? unoptimised : []))
}

/// What the tests of more than one module need.
func testSupport(_ name: String, imports: [String] = []) -> Target {
  .target(
    name: name, dependencies: imports.map { .byName(name: $0) }, path: "Tests/\(name)", swiftSettings: settings)
}

/// The tests of a module, which may import what it may, and more where that is named. Optimising them takes half of the
/// time of their build, and helps those alone that compute much.
func tests(_ module: String, imports: [String] = [], compute: Bool = false) -> Target {
  .testTarget(
    name: "\(module)Tests",
    dependencies: ([module] + imports + ["TestSupport"]).map { .byName(name: $0) },
    path: "Tests/\(module)Tests",
    // No package that depends on this one builds tests, so that these flags are not in its way.
    swiftSettings: settings + (compute ? [] : unoptimised))
}

func example(_ name: String, umbrella: String = "AudioPipe", imports: [String] = []) -> Target {
  .executableTarget(
    name: name, dependencies: ([umbrella] + imports).map { .byName(name: $0) },
    path: "Examples/\(name)",
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
    // What most programs import.
    .library(name: "AudioPipe", targets: ["AudioPipe"]),
    // Links FFTW, which is under the GPL, as does PitchDetection; no other library does.
    .library(name: "AudioPipeWithPitch", targets: ["AudioPipeWithPitch"]),
    .library(name: "LockFree", targets: ["LockFree"]),
    .library(name: "Platform", targets: ["Platform"]),
    .library(name: "AudioGraph", targets: ["AudioGraph"]),
    .library(name: "Resampling", targets: ["Resampling"]),
    .library(name: "FrameObservers", targets: ["FrameObservers"]),
    .library(name: "Metering", targets: ["Metering"]),
    .library(name: "PitchDetection", targets: ["PitchDetection"]),
    .library(name: "Effects", targets: ["Effects"]),
    .library(name: "VoiceProcessing", targets: ["VoiceProcessing"]),
    .library(name: "AudioFiles", targets: ["AudioFiles"]),
    .library(name: "Playback", targets: ["Playback"]),
    .library(name: "Devices", targets: ["Devices"]),
    .library(name: "PushPull", targets: ["PushPull"]),
    .library(name: "Recordings", targets: ["Recordings"]),
    .library(name: "RTP", targets: ["RTP"]),
    .library(name: "SRTP", targets: ["SRTP"]),
    .library(name: "SDP", targets: ["SDP"]),
    .library(name: "Signalling", targets: ["Signalling"]),
    .library(name: "WebRTC", targets: ["WebRTC"]),
    .library(name: "NetworkIO", targets: ["NetworkIO"]),
    .library(name: "Relay", targets: ["Relay"]),
    .library(name: "OpusCodec", targets: ["OpusCodec"]),
    .library(name: "MediaStreams", targets: ["MediaStreams"]),
    .library(name: "RTPSessions", targets: ["RTPSessions"]),
    .library(name: "Engine", targets: ["Engine"]),
    .library(name: "RelayClient", targets: ["RelayClient"]),
    .library(name: "EncodedAudio", targets: ["EncodedAudio"]),
    .library(name: "Channels", targets: ["Channels"]),
    .library(name: "Calls", targets: ["Calls"]),
    .library(name: "MQTTSignalling", targets: ["MQTTSignalling"]),
    .library(name: "OfflineProcessing", targets: ["OfflineProcessing"]),
    .library(name: "Pictures", targets: ["Pictures"]),
    .library(name: "BatchProcessing", targets: ["BatchProcessing"]),
    .library(name: "NetworkSimulation", targets: ["NetworkSimulation"]),
    .library(name: "CallSimulation", targets: ["CallSimulation"]),
    .executable(name: "audiopipe", targets: ["audiopipe"]),
  ],
  targets: [
    systemLibrary("COpus", pkgConfig: "opus", apt: "libopus-dev"),
    systemLibrary("CSampleRate", pkgConfig: "samplerate", apt: "libsamplerate0-dev"),
    systemLibrary("CSoxr", pkgConfig: "soxr", apt: "libsoxr-dev"),
    systemLibrary("CFFTW", pkgConfig: "fftw3f", apt: "libfftw3-dev"),
    systemLibrary("CEBUR128", pkgConfig: "libebur128", apt: "libebur128-dev"),
    systemLibrary("CSndFile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
    systemLibrary("CMPG123", pkgConfig: "libmpg123", apt: "libmpg123-dev"),
    systemLibrary("CVorbisFile", pkgConfig: "vorbisfile", apt: "libvorbis-dev"),
    systemLibrary("COpusFile", pkgConfig: "opusfile", apt: "libopusfile-dev"),
    systemLibrary("CSRTP", pkgConfig: "libsrtp2", apt: "libsrtp2-dev"),
    systemLibrary("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    systemLibrary("CWebSockets", pkgConfig: "libwebsockets", apt: "libwebsockets-dev"),
    systemLibrary("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
    systemLibrary("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
    .target(name: "CPlatform", path: "Sources/SystemLibraries/CPlatform"),

    module("LockFree", compute: true),
    module("Platform", imports: ["LockFree"], system: ["CPlatform"], compute: true),
    module("JSON", imports: ["Platform"]),
    module("Cryptography", system: ["COpenSSL"], compute: true),
    module("AudioGraph", imports: ["Platform"], system: ["CPlatform"], compute: true),
    module("DSP", imports: ["LockFree"], compute: true),
    module("Resampling", imports: ["AudioGraph"], system: ["CSampleRate", "CSoxr"], compute: true),
    module("FrameObservers", imports: ["AudioGraph", "Resampling"], compute: true),
    module("Metering", imports: ["AudioGraph", "DSP"], system: ["CEBUR128"], compute: true),
    module("PitchDetection", imports: ["AudioGraph", "DSP"], system: ["CFFTW"], compute: true),
    module("Effects", imports: ["AudioGraph", "DSP"], compute: true),
    module("VoiceProcessing", imports: ["AudioGraph", "DSP"], compute: true),
    module(
      "AudioFiles", imports: ["AudioGraph", "DSP", "Resampling"],
      system: ["CPlatform", "CSndFile", "CMPG123", "COpusFile", "CVorbisFile"], compute: true),
    module("Playback", imports: ["AudioGraph", "Effects", "AudioFiles"]),
    module(
      "Devices", imports: ["AudioGraph", "AudioFiles", "Resampling"], system: ["CALSA", "CPlatform"], compute: true),
    module("PushPull", imports: ["AudioGraph", "Resampling"]),
    module("Recordings", imports: ["AudioFiles"]),
    module("RTP", compute: true),
    module("SRTP", imports: ["RTP", "Cryptography", "Platform"], compute: true),
    module("SDP", imports: ["SRTP", "Platform"]),
    module("Signalling", imports: ["JSON", "Cryptography"]),
    module("WebRTC", imports: ["SDP"], system: ["COpenSSL"], compute: true),
    module("NetworkIO", imports: ["Platform", "Cryptography"], system: ["CPlatform", "CWebSockets"], compute: true),
    module("DataStreams", imports: ["RTP", "Signalling", "NetworkIO"], compute: true),
    module("Relay", imports: ["WebRTC", "DataStreams"], system: ["CPlatform"], compute: true),
    module("OpusCodec", imports: ["AudioGraph", "RTP"], system: ["COpus"], compute: true),
    module(
      "MediaStreams", imports: ["AudioGraph", "DSP", "Resampling", "Metering", "RTP", "OpusCodec"], compute: true),
    module("RTPSessions", imports: ["Engine", "MediaStreams", "SDP", "NetworkIO"]),
    module(
      "Engine",
      imports: [
        "AudioFiles", "Playback", "Devices", "PushPull", "Recordings", "MediaStreams", "Effects", "VoiceProcessing",
        "FrameObservers", "Metering",
      ],
      system: ["CPlatform"], compute: true),
    module("RelayClient", imports: ["WebRTC", "DataStreams"], compute: true),
    module("RelayLoad", imports: ["RelayClient"], compute: true),
    module("EncodedAudio", imports: ["RelayClient"], compute: true),
    module("Channels", imports: ["Engine", "EncodedAudio"], compute: true),
    module("Calls", imports: ["Channels"]),
    module("MQTTSignalling", imports: ["Calls"], system: ["CMosquitto", "CPlatform"]),
    module("OfflineProcessing", imports: ["Engine", "JSON"], system: ["CPlatform"]),
    module("NetworkSimulation", imports: ["Platform", "NetworkIO"], compute: true),
    module("CallSimulation", imports: ["NetworkSimulation", "Calls", "RelayLoad", "Relay"], compute: true),
    // Folders of other names: 'AudioPipe' and 'audiopipe' are one on some file systems.
    module("AudioPipe", imports: ["OfflineProcessing", "RTPSessions"], folder: "Umbrella"),
    module("AudioPipeWithPitch", imports: ["AudioPipe", "PitchDetection"], folder: "UmbrellaWithPitch"),
    module("CommandLineKit", imports: ["JSON", "Platform"]),
    // Options that more than one command has, and what they check.
    module("SoundOptions", imports: ["CommandLineKit", "OfflineProcessing"]),
    module("ChannelCommands", imports: ["CommandLineKit", "SoundOptions", "CallSimulation", "MQTTSignalling"]),
    module("DeviceCommands", imports: ["CommandLineKit", "SoundOptions"]),
    module("Pictures", imports: ["OfflineProcessing", "CallSimulation"]),
    // Manifests, shards and tables of results.
    module("BatchProcessing", imports: ["JSON", "Platform"]),
    module(
      "FileCommands",
      imports: ["AudioPipeWithPitch", "CommandLineKit", "SoundOptions", "Pictures", "BatchProcessing"],
      system: ["CPlatform"]),
    // The table of subcommands, and those that have no module of their own.
    module(
      "Commands",
      imports: ["FileCommands", "ChannelCommands", "DeviceCommands"],
      system: ["COpus", "CSampleRate", "CSoxr", "CSndFile", "CEBUR128", "CFFTW"]),
    .executableTarget(name: "audiopipe", dependencies: ["Commands"], swiftSettings: settings),

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
      name: "BenchmarkTwins",
      dependencies: ["COpus", "CAubio", "CSampleRate", "CSndFile", "CSoundTouch", "CSpeexDSP", "COpenSSL"],
      path: "Benchmarks/Twins"),
    // Voices whose pitch is known, for tests and benchmarks.
    .target(name: "VoiceCorpus", path: "Tests/VoiceCorpus", swiftSettings: settings),
    .target(name: "CountingAllocator", path: "Tests/RealTimeGate/CountingAllocator"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "OfflineProcessing", "RTPSessions", "PitchDetection", "Relay", "BenchmarkTwins", "CountingAllocator",
        "VoiceCorpus",
      ],
      path: "Benchmarks", exclude: ["Twins", "CAubio", "CSoundTouch", "CSpeexDSP", "Relay", "relay"],
      swiftSettings: settings),
    // Finds the weights of PitchDetection's model.
    .executableTarget(
      name: "PitchModelFit", dependencies: ["PitchDetection", "VoiceCorpus"], path: "Tests/PitchModelFit",
      swiftSettings: settings),
    // Run by Tests/Comparisons/receiver.
    .executableTarget(
      name: "ReceiverComparison", dependencies: ["CallSimulation"], path: "Tests/Comparisons/ReceiverComparison",
      swiftSettings: settings),
    // Run by Tests/Gates/real-time.
    .executableTarget(
      name: "RealTimeGate",
      dependencies: ["OfflineProcessing", "Devices", "RTPSessions", "PitchDetection", "CountingAllocator"],
      path: "Tests/RealTimeGate", exclude: ["CountingAllocator"], swiftSettings: settings),

    example("ObserveThreePositions"),
    example("ChangeFrames"),
    example("PushBack"),
    example("AsyncFrames"),
    example("CustomNode"),
    example("Karaoke", umbrella: "AudioPipeWithPitch"),
    example("Soundboard"),
    example("LoudnessBatch"),
    example("ModerationMeter"),
    example("VoiceBot"),
    example("CallRecorder"),
    example("ChannelBot", imports: ["Channels"]),
    example("ChannelRecorder", imports: ["Channels"]),
    example("ChannelEcho", imports: ["Channels"]),
    example("ChannelPing", imports: ["Channels"]),
    example("CoHost", imports: ["Channels"]),
    example("PacketBridge", imports: ["Channels"]),
    example("LiveRoom", imports: ["Channels"]),
    example("VoiceMailbox", imports: ["Calls"]),

    testSupport("TestSupport"),
    testSupport("GraphTestSupport", imports: ["AudioGraph"]),
    testSupport("FileTestSupport", imports: ["AudioFiles", "TestSupport"]),
    testSupport("RTPTestSupport", imports: ["SRTP", "TestSupport"]),
    testSupport("StreamTestSupport", imports: ["MediaStreams", "TestSupport"]),
    // Networks of users in memory, beside a relay without sockets.
    testSupport("RelayTestSupport", imports: ["Relay", "RelayClient"]),
    // Engines in virtual time beside a relay without sockets.
    testSupport("ChannelTestSupport", imports: ["Channels", "Devices", "Relay", "RelayTestSupport", "TestSupport"]),
    // Runs the command, and looks at what it wrote.
    testSupport("CommandTestSupport", imports: ["Commands", "TestSupport"]),
    tests("LockFree"),
    tests("Platform"),
    tests("JSON"),
    tests("Cryptography"),
    tests("AudioGraph", compute: true),
    tests("DSP"),
    tests("Resampling", compute: true),
    tests("FrameObservers"),
    tests("Metering", imports: ["GraphTestSupport"], compute: true),
    tests("PitchDetection", imports: ["VoiceCorpus"]),
    tests("Effects", imports: ["GraphTestSupport"]),
    tests("VoiceProcessing", imports: ["GraphTestSupport", "VoiceCorpus"], compute: true),
    tests("AudioFiles", imports: ["FileTestSupport"], compute: true),
    tests("Playback", imports: ["GraphTestSupport", "FileTestSupport"]),
    tests("Devices", imports: ["GraphTestSupport"], compute: true),
    tests("Recordings", imports: ["GraphTestSupport", "FileTestSupport"]),
    // libopus as an oracle for what is a packet.
    tests("RTP", imports: ["RTPTestSupport", "COpus"]),
    // libsrtp as an oracle.
    tests("SRTP", imports: ["RTPTestSupport", "CSRTP"], compute: true),
    // Its encoder makes what ffmpeg is sent.
    tests("SDP", imports: ["RTPTestSupport", "COpus"]),
    // Reads and writes JSON beside the module.
    tests("Signalling", imports: ["JSON", "Cryptography"]),
    // Sockets for the openssl program and for other programs' agents.
    tests("WebRTC", imports: ["NetworkIO", "RTPTestSupport"]),
    tests("NetworkIO"),
    // A relay, its clients and the network between them, most of them without sockets.
    tests("DataStreams", imports: ["RTP", "Signalling"]),
    tests("Relay"),
    tests("OpusCodec", imports: ["GraphTestSupport"]),
    // Senders and receivers in the pipelines that they are made for.
    tests("MediaStreams", imports: ["Engine", "GraphTestSupport", "StreamTestSupport"]),
    tests("RTPSessions", imports: ["Engine", "GraphTestSupport"]),
    tests(
      "Engine", imports: ["PitchDetection", "GraphTestSupport", "FileTestSupport", "StreamTestSupport"]),
    // A scripted relay for single connections, and a real one without sockets.
    tests("RelayClient", imports: ["WebRTC", "Signalling", "NetworkIO", "Relay"]),
    tests("RelayLoad", imports: ["WebRTC", "Signalling", "Relay", "RelayTestSupport"]),
    // libopus makes packets; libopusfile, ffmpeg and sox read the files.
    tests("EncodedAudio", imports: ["Relay", "RelayTestSupport", "COpus", "COpusFile"], compute: true),
    tests(
      "Channels",
      imports: [
        "Engine", "Devices", "PitchDetection", "WebRTC", "Signalling", "NetworkIO", "Relay", "RelayTestSupport",
        "ChannelTestSupport", "FileTestSupport",
      ]),
    tests("Calls", imports: ["Relay", "RelayTestSupport", "ChannelTestSupport"]),
    // Beside a mosquitto of their own.
    tests("MQTTSignalling", imports: ["Calls"]),
    tests("OfflineProcessing", imports: ["FileTestSupport"], compute: true),
    tests("NetworkSimulation"),
    tests("CallSimulation", compute: true),
    tests("CommandLineKit", imports: ["Commands", "CommandTestSupport"]),
    tests("Pictures", imports: ["CommandTestSupport"]),
    tests("BatchProcessing"),
    tests("FileCommands", imports: ["CommandTestSupport"]),
    tests("ChannelCommands"),
    tests("Commands", imports: ["CommandTestSupport"]),
    // The command as a program: with files, and with networks.
    tests("audiopipe", imports: ["Commands", "CommandTestSupport", "VoiceCorpus"]),
    .testTarget(
      name: "audiopipeNetworkTests",
      dependencies: ["audiopipe", "Channels", "Commands", "CommandTestSupport", "TestSupport"],
      path: "Tests/audiopipeNetworkTests", swiftSettings: settings + unoptimised),
  ]
)

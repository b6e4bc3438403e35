import AudioGraph
package import Channels
package import Devices
import Engine
import Foundation
import FrameObservers
import Platform
package import Relay
import RelayTestSupport
package import Signalling
import TestSupport
import WebRTC

/// An engine with simulated devices, and a relay without sockets, in virtual time. Nothing takes time between them.
///
/// The microphone `mic` has a tone of 1 kHz within a range of seconds, and the loudspeaker `speaker` is at playout.
package final class EngineRig {
  package static let secret = try! TokenSecret(keyID: "s", bytes: Array("a secret of 32 bytes and no more".utf8).span)
  package static let unixSeconds = 1_800_000_000

  package let engine: RtcEngine
  package let log = DelegateLog()
  /// Engines of other users.
  private var peers: [RtcEngine] = []
  private let makeOptions: () -> RtcEngineOptions
  package let devices = VirtualDevices(clock: VirtualClock())
  private let clock = VirtualClock()
  private let core: RelayCore
  // SAFETY: the engine makes its networks on the thread of the test.
  private nonisolated(unsafe) let networks: MemoryNetworks
  private let outgoing = Outgoing()
  private let calls = Guarded<[@Sendable () -> Void]>([])
  private let played = Guarded<[(seconds: Double, sample: Float)]>([])
  private let recorded = Guarded<[Float]>([])
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 2_048, alignment: 16)

  private final class Outgoing {
    var datagrams: [(bytes: [UInt8], to: SocketAddress)] = []
  }

  /// - Parameters:
  ///   - tone: Seconds in which the microphone has its tone.
  ///   - needsToken: Whether the relay refuses users without a token.
  ///   - channelCount: Channels of the listener's sound.
  ///   - delayMilliseconds: Time from a user to the relay, and back; nothing else takes time.
  ///   - limits: Changes the relay's limits.
  ///   - change: Changes the options of the engine.
  package init(
    tone: Range<Double> = 0..<1_000, needsToken: Bool = false, channelCount: Int = 1,
    delayMilliseconds: Int = 0,
    limits: (inout RelayLimits) -> Void = { _ in }, change: (inout RtcEngineOptions) -> Void = { _ in }
  ) throws {
    let outgoing = outgoing
    var configuration = RelayConfiguration(
      apps: [RelayApp(id: MemoryNetworks.app, secret: Self.secret, allowsAppIDOnly: !needsToken)],
      mediaAddresses: [MemoryNetworks.relayAddress])
    limits(&configuration.limits)
    core = RelayCore(
      configuration, certificate: MemoryNetworks.certificate, nowNanoseconds: 0,
      unixMilliseconds: Int64(Self.unixSeconds) * 1_000
    ) { bytes, to, _ in outgoing.datagrams.append((Array(bytes), to)) }
    networks = MemoryNetworks(core, clock)
    networks.delayNanoseconds = delayMilliseconds * 1_000_000
    devices.plug(VirtualDevice(id: "mic", direction: .capture))
    devices.setSignal(of: "mic") { tone.contains($0) ? Float(0.5 * sin(2 * .pi * 1_000 * $0)) : 0 }
    devices.plug(VirtualDevice(id: "speaker", direction: .playout))
    devices.setListener(of: "speaker") { [played] samples, time in
      played.withLock { $0 += samples.enumerated().map { (time($0.offset), $0.element) } }
    }
    let numbers = Guarded(0)
    // SAFETY: as above.
    nonisolated(unsafe) let networks = networks
    let makeNetwork: @Sendable () -> MemoryNetwork = {
      networks.make(
        numbers.withLock { number in
          number += 1
          return number
        })
    }
    makeOptions = { [clock, calls] in
      var options = RtcEngineOptions(clock: clock)
      options.executor = { call in calls.withLock { $0.append(call) } }
      options.environment = ChannelEnvironment(
        makeSignalling: { _ in makeNetwork() }, makeMedia: { _ in makeNetwork() },
        makeRandom: { _ in SeededGenerator(seed: 1) },
        unixNanoseconds: { Self.unixSeconds * 1_000_000_000 + clock.nowNanoseconds }, isStepped: true)
      return options
    }
    var options = makeOptions()
    change(&options)
    engine = try RtcEngine(
      appID: MemoryNetworks.app.text, relay: "ws://relay.example/",
      pipeline: AudioPipeline(mode: .offline, channelCount: channelCount), options: options, delegate: log)
    try engine.pipeline.observe(.record) { [recorded] frame, _ in
      let samples = (0..<frame.samplesPerChannel).map { Float(frame.samples[$0]) / 32_768 }
      recorded.withLock { $0 += samples }
    }
  }

  deinit { memory.deallocate() }

  /// Opens the devices and begins.
  package func start() throws {
    try engine.pipeline.setLocalSource(.device("mic", of: devices))
    try engine.pipeline.addSink(.device("speaker", of: devices), at: .playout)
    try engine.pipeline.startStepping(isEndless: true)
  }

  /// Adds an engine of another user. Its pipeline begins now.
  package func addPeer(
    _ delegate: any RtcEngineDelegate, channelCount: Int = 2,
    change: (inout RtcEngineOptions) -> Void = { _ in }
  ) throws -> RtcEngine {
    var options = makeOptions()
    change(&options)
    let peer = try RtcEngine(
      appID: MemoryNetworks.app.text, relay: "ws://relay.example/",
      pipeline: AudioPipeline(mode: .offline, channelCount: channelCount), options: options, delegate: delegate)
    try peer.pipeline.startStepping(isEndless: true)
    peers.append(peer)
    return peer
  }

  /// Does the work of other parts at each millisecond.
  package var onStep: () -> Void = {}

  /// Runs to a time, in seconds.
  package func run(to seconds: Double) {
    while engine.pipeline.tickCount < Int(seconds * 100) {
      let now = engine.pipeline.tickCount * 10_000_000
      clock.wait(untilNanoseconds: now)
      core.poll(nowNanoseconds: now)
      exchange()
      onStep()
      devices.run(untilNanoseconds: now)
      for engine in [engine] + peers {
        engine.complete(untilNanoseconds: now + 1)
        _ = engine.pipeline.waitUntilReady()
        engine.pipeline.step(atNanoseconds: now)
      }
      exchange()
      guard networks.delayNanoseconds > 0 else { continue }
      for step in 1..<10 {
        clock.wait(untilNanoseconds: now + step * 1_000_000)
        exchange()
        onStep()
        exchange()
      }
    }
  }

  package func finish() {
    for engine in [engine] + peers {
      engine.pipeline.finishStepping()
      engine.destroy()
    }
  }

  /// Time of the rig.
  package var seconds: Double { Double(engine.pipeline.tickCount) / 100 }

  /// Number of sessions at the relay.
  package var sessionCount: Int { core.sessionCount }

  /// Amplitude of the tone in the loudspeaker's sound between two times.
  package func playedTone(_ seconds: Range<Double>) -> Double {
    let samples = played.withLock { $0.filter { seconds.contains($0.seconds) }.map(\.sample) }
    return samples.isEmpty ? 0 : toneAmplitude(of: 1_000, in: samples, sampleRate: 48_000)
  }

  /// Samples of RECORD so far.
  package var recordedSampleCount: Int { recorded.withLock { $0.count } }

  /// Amplitude of the tone in the newest sound of RECORD.
  package func newestRecordedTone(_ seconds: Double) -> Double {
    toneAmplitude(of: 1_000, in: recorded.withLock { Array($0.suffix(Int(seconds * 48_000))) }, sampleRate: 48_000)
  }

  /// Amplitude of the tone in RECORD between two times, if RECORD had no gap before.
  package func recordedTone(_ seconds: Range<Double>) -> Double {
    let samples = recorded.withLock { $0 }
    let range = Int(seconds.lowerBound * 48_000)..<Int(seconds.upperBound * 48_000)
    return toneAmplitude(of: 1_000, in: samples[range], sampleRate: 48_000)
  }

  // MARK: Private

  /// Passes on what waits, until nothing waits.
  private func exchange() {
    var isActive = true
    networks.arrive()
    while isActive {
      for engine in [engine] + peers { engine.pump() }
      while let message = core.takeMessage() { networks.deliver(message.text, to: message.connection) }
      while let end = core.takeDisconnect() { networks.close(end.connection) }
      for (number, bytes) in networks.takeSent() {
        memory.copyBytes(from: bytes)
        core.received(
          datagram: UnsafeMutableRawBufferPointer(rebasing: memory[..<bytes.count]),
          from: networks.address(of: number), local: 0, nowNanoseconds: clock.nowNanoseconds)
      }
      let datagrams = outgoing.datagrams
      outgoing.datagrams = []
      for datagram in datagrams { networks.deliver(datagram.bytes, to: networks.number(of: datagram.to)) }
      isActive = !networks.takeNews().isEmpty
    }
    while true {
      let due = calls.withLock { calls in
        defer { calls = [] }
        return calls
      }
      for call in due { call() }
      if due.isEmpty { break }
    }
  }
}

import AudioGraph
import Engine
import FrameObservers
import GraphTestSupport
import TestSupport
import Testing

/// Two voices, the local one and a remote one, of 60 ticks; from the 20th to the 40th something is
/// switched off.
@Suite(.timeLimit(.minutes(10))) struct MutingTests {
  static let frame = 480
  static let off = 20..<40
  static let tickCount = 60

  private let own = seededNoise(count: 60 * 480, seed: 1, amplitude: 0.3)
  private let remote = seededNoise(count: 60 * 480, seed: 2, amplitude: 0.3)
  private let pipeline: AudioPipeline
  private let seen = Collector()
  private let registration: ObserverRegistration
  /// By position: the graph's delay may change with what is switched off.
  private let heard: Samples

  private final class Samples: Sendable {
    let all = Guarded<[FrameOrigin: [Int: Float]]>([:])
  }

  init() throws {
    pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    try pipeline.setLocalSource(try PlaneSource([own], uid: 0))
    let heard = Samples()
    self.heard = heard
    _ = try pipeline.observe(
      .readOnly(at: [.playback, .mixed]) { frame, source in
        let plane = frame.plane(0)
        heard.all.withLock { heard in
          for index in plane.indices { heard[source, default: [:]][frame.samplePosition + index] = plane[index] }
        }
      })
    registration = try pipeline.observe(seen.request(at: [.record, .beforeMixing, .playback, .mixed]))
  }

  /// Runs to the end, with a change of the pipeline before each of two ticks.
  private func run(_ switchOff: () throws -> Void, _ switchOn: () throws -> Void) throws {
    try pipeline.startStepping()
    while pipeline.waitUntilReady() {
      if pipeline.tickCount == Self.off.lowerBound { try switchOff() }
      if pipeline.tickCount == Self.off.upperBound { try switchOn() }
      pipeline.step(atNanoseconds: pipeline.tickCount * 10_000_000)
    }
    pipeline.finishStepping()
    #expect(pipeline.tickCount >= Self.tickCount)
  }

  private enum Part {
    case before, during, after

    /// Samples that are its own: a change acts a graph's delay before the tick's own, and fades over a frame or two.
    var range: Range<Int> {
      switch self {
      case .before: 0..<(MutingTests.off.lowerBound - 1) * MutingTests.frame
      case .during:
        (MutingTests.off.lowerBound + 1) * MutingTests.frame..<(MutingTests.off.upperBound - 1) * MutingTests.frame
      case .after: (MutingTests.off.upperBound + 2) * MutingTests.frame..<MutingTests.tickCount * MutingTests.frame
      }
    }
  }

  /// Where a part at `position` is not as `expected` says; nil where it is.
  private func fault(
    _ part: Part, at position: ObserverPosition, late: Int = 0, _ expected: (Int) -> Float
  ) -> String? {
    let stream = heard.all.withLock { $0[FrameOrigin(position: position)] } ?? [:]
    return part.range.dropFirst(late).first { stream[$0] != expected($0) }.map {
      "\($0): \(stream[$0].map { "\($0)" } ?? "nothing"), not \(expected($0))"
    }
  }

  private func calls(_ position: ObserverPosition, _ uid: UInt32) -> Int {
    seen.calls(FrameOrigin(position: position, uid: uid))
  }

  @Test(
    "sent music is heard here while the voice is muted or not captured", .shows("G5"),
    arguments: [false, true])
  func music(isCapture: Bool) throws {
    let music = seededNoise(count: 60 * 480, seed: 3, amplitude: 0.3)
    try pipeline.addMusic(try PlaneSource([music], uid: 0), to: .publishedByLocalUser)
    func send(_ isOn: Bool) throws {
      if isCapture { try pipeline.enableLocalAudio(isOn) } else { try pipeline.muteLocalAudioStream(!isOn) }
    }
    try run({ try send(false) }, { try send(true) })
    for part in [Part.before, .after] { #expect(fault(part, at: .mixed) { own[$0] + music[$0] } == nil) }
    // The music's new way is brought in beside the voice's end, which takes another frame.
    #expect(fault(.during, at: .mixed, late: Self.frame) { music[$0] } == nil)
    #expect(calls(.record, 0) < Self.tickCount - Self.off.count + 4)
  }

  @Test(
    "a muted remote user reaches neither BEFORE MIXING nor PLAYBACK", .shows("G5"),
    arguments: [false, true])
  func remoteUser(all: Bool) throws {
    try pipeline.addSpeaker(1, from: try PlaneSource([remote]))
    let mute = { [pipeline] (isMuted: Bool) in
      if all { try pipeline.muteAllRemoteAudioStreams(isMuted) } else { try pipeline.muteRemoteAudioStream(1, isMuted) }
    }
    try run(
      {
        try mute(true)
        #expect(pipeline.diagnose(registration, at: .beforeMixing).contains(.noRemotePublisher))
      },
      {
        #expect(calls(.beforeMixing, 1) == Self.off.lowerBound)
        try mute(false)
        #expect(!pipeline.diagnose(registration, at: .beforeMixing).contains(.noRemotePublisher))
      })
    #expect(fault(.before, at: .playback) { remote[$0] } == nil)
    #expect(fault(.during, at: .playback) { _ in 0 } == nil)
    #expect(fault(.after, at: .playback) { remote[$0] } == nil)
    #expect(fault(.during, at: .mixed) { own[$0] } == nil)
    #expect(fault(.after, at: .mixed) { own[$0] + remote[$0] } == nil)
    // What the user sends is not for its listener to stop.
    #expect(calls(.record, 1) >= Self.tickCount)
  }

  @Test("a muted local voice is neither recorded nor mixed, and comes back", .shows("G5"))
  func localVoice() throws {
    try pipeline.addRemoteUser(1, from: try PlaneSource([remote]))
    try run(
      {
        try pipeline.muteLocalAudioStream(true)
        #expect(pipeline.diagnose(registration, at: .record).contains(.muted))
      },
      {
        #expect(calls(.record, 0) == Self.off.lowerBound)
        try pipeline.muteLocalAudioStream(false)
        #expect(!pipeline.diagnose(registration, at: .record).contains(.muted))
      })
    #expect(calls(.record, 0) == pipeline.tickCount - Self.off.count)
    #expect(fault(.before, at: .mixed) { own[$0] + remote[$0] } == nil)
    #expect(fault(.during, at: .mixed) { remote[$0] } == nil)
    #expect(fault(.after, at: .mixed) { own[$0] + remote[$0] } == nil)
  }

  @Test("disabled local audio is silent and diagnosed as not captured", .shows("G5"))
  func localAudio() throws {
    try pipeline.addRemoteUser(1, from: try PlaneSource([remote]))
    try run(
      {
        try pipeline.enableLocalAudio(false)
        #expect(pipeline.diagnose(registration, at: .record).contains(.captureStopped))
      },
      {
        #expect(calls(.record, 0) == Self.off.lowerBound)
        try pipeline.enableLocalAudio(true)
      })
    #expect(calls(.record, 0) == pipeline.tickCount - Self.off.count)
    #expect(fault(.before, at: .mixed) { own[$0] + remote[$0] } == nil)
    #expect(fault(.during, at: .mixed) { remote[$0] } == nil)
    #expect(fault(.after, at: .mixed) { own[$0] + remote[$0] } == nil)
  }

  @Test("disabled audio silences everybody until enableAudio", .shows("G5"))
  func everything() throws {
    try pipeline.addRemoteUser(1, from: try PlaneSource([remote]))
    try run(
      {
        try pipeline.disableAudio()
        #expect(pipeline.diagnose(registration, at: .beforeMixing).contains(.noRemotePublisher))
      },
      {
        #expect(calls(.record, 0) == Self.off.lowerBound && calls(.beforeMixing, 1) == Self.off.lowerBound)
        try pipeline.enableAudio()
      })
    for position in [ObserverPosition.playback, .mixed] {
      let isMixed = position == .mixed
      #expect(fault(.before, at: position) { remote[$0] + (isMixed ? own[$0] : 0) } == nil)
      #expect(fault(.during, at: position) { _ in 0 } == nil)
      #expect(fault(.after, at: position) { remote[$0] + (isMixed ? own[$0] : 0) } == nil)
    }
    #expect(calls(.record, 0) == pipeline.tickCount - Self.off.count)
  }
}

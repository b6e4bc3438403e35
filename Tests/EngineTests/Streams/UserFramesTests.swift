import AudioGraph
import Engine
import FrameObservers
import GraphTestSupport
import Metering
import TestSupport
import Testing

/// Frames and speech of one user as asynchronous sequences, and reports of speech.
@Suite(.timeLimit(.minutes(10))) struct UserFramesTests {
  /// Quiet noise with a voice-like tone, `spans` in seconds.
  private func voice(seconds: Double, spans: [ClosedRange<Double>], seed: UInt64 = 1) -> [Float] {
    let noise = seededNoise(count: Int(seconds * 48_000), seed: seed, amplitude: 0.0005)
    return noise.enumerated().map { index, sample in
      let time = Double(index) / 48_000
      guard spans.contains(where: { $0.contains(time) }) else { return sample }
      // A vowel of 150 Hz with falling harmonics.
      return (1...12).reduce(sample) { (sum: Float, harmonic: Int) -> Float in
        sum + 0.2 / Float(harmonic) * sine(150 * Double(harmonic) * time)
      }
    }
  }

  private func pipeline(_ voices: [UInt32: [Float]]) throws -> AudioPipeline {
    let pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    for (uid, samples) in voices.sorted(by: { $0.key < $1.key }) {
      try pipeline.addRemoteUser(uid, from: try PlaneSource([samples]))
    }
    return pipeline
  }

  @Test("frames of one user carry its name, and nobody else's sound", .shows("frames of a user"))
  func names() async throws {
    let pipeline = try pipeline([
      1: [Float](repeating: 0.25, count: 48_000), 2: [Float](repeating: 0.5, count: 48_000),
    ])
    let frames = try pipeline.frames(of: 2, as: AudioParams(sampleRate: 48_000, channelCount: 1))
    let all = try pipeline.frames(at: .beforeMixing)
    async let run: Void = pipeline.run()
    async let users = all.reduce(into: Set<UInt32>()) { $0.insert($1.origin?.uid ?? 0) }
    var count = 0
    // The run goes on until the last sample has passed the limiter.
    for await frame in frames where frame.samplePosition < 48_000 {
      #expect(frame.origin == FrameOrigin(position: .beforeMixing, uid: 2))
      #expect(frame.samples.allSatisfy { $0 == 16_384 })
      count += 1
    }
    try await run
    #expect(await users == [1, 2])
    #expect(count == 100)
  }

  @Test(
    "frames of a muted user come if they are requested, and are not mixed", .shows("frames of a user", "C22"),
    arguments: [false, true])
  func muted(includesMuted: Bool) async throws {
    let pipeline = try pipeline([1: [Float](repeating: 0.25, count: 48_000)])
    try pipeline.users[1].setMuted(true)
    let frames = try pipeline.frames(of: 1, includesMuted: includesMuted)
    let mixed = try pipeline.frames(at: .mixed)
    async let run: Void = pipeline.run()
    async let isMixed = mixed.contains { $0.samples.contains { $0 != 0 } }
    var count = 0
    for await frame in frames where frame.samples.allSatisfy({ $0 == 8_192 }) { count += 1 }
    try await run
    #expect(count == (includesMuted ? 100 : 0))
    #expect(await isMixed == false)
  }

  @Test("an observer that includes muted users loses no frame by a mute", .shows("frames of a user"))
  func muteChanges() throws {
    let pipeline = try pipeline([1: (0..<48_000).map { Float($0) / 65_536 }])
    let positions = Guarded<[Int]>([])
    var request = ObserverRequest.readOnly(at: .beforeMixing) { frame, _ in
      let position = frame.samplePosition
      positions.withLock { $0.append(position) }
    }
    request.includesMuted = true
    try pipeline.observe(request)
    try pipeline.startStepping()
    while pipeline.waitUntilReady() {
      switch pipeline.tickCount {
      case 20, 60: try pipeline.users[1].setMuted(true)
      case 40: try pipeline.users[1].setMuted(false)
      case 80: try pipeline.setAudioEnabled(false)
      case 90: try pipeline.setAudioEnabled(true)
      default: break
      }
      pipeline.step(atNanoseconds: pipeline.tickCount * 10_000_000)
    }
    pipeline.finishStepping()
    let seen = positions.withLock { Set($0) }
    // Disabled audio gives nobody's frames.
    #expect(Set((0..<80).map { $0 * 480 }).isSubset(of: seen))
    #expect(seen.isDisjoint(with: (82..<90).map { $0 * 480 }))
  }

  @Test("speech of a user is reported within 200 ms, beginning and end", .shows("frames of a user"))
  func reports() throws {
    let pipeline = try pipeline([
      1: voice(seconds: 4, spans: [1...2]), 2: voice(seconds: 4, spans: [2.5...3], seed: 2),
    ])
    let events = Guarded<[(Double, String)]>([])
    pipeline.onEvent { event in
      let seconds = event.time / .seconds(1)
      switch event.kind {
      case .speechBegan(let speaker): events.withLock { $0.append((seconds, "\(speaker.uid) begins")) }
      case .speechEnded(let speaker): events.withLock { $0.append((seconds, "\(speaker.uid) ends")) }
      default: break
      }
    }
    try pipeline.setSpeechReports(longestPause: .zero)
    try pipeline.runToEnd()
    let found = events.withLock { $0 }
    #expect(found.map(\.1) == ["1 begins", "1 ends", "2 begins", "2 ends"])
    for (event, expected) in zip(found, [1, 2, 2.5, 3]) {
      #expect(event.0 >= expected && event.0 <= expected + 0.2, "\(event)")
    }
  }

  @Test("a user that is muted while it speaks has ended", .shows("frames of a user"))
  func mutedSpeaker() throws {
    let pipeline = try pipeline([1: voice(seconds: 3, spans: [0.5...3])])
    let ends = Guarded<[Int]>([])
    pipeline.onEvent { event in
      if case .speechEnded = event.kind { ends.withLock { $0.append(event.tickCount) } }
    }
    try pipeline.setSpeechReports(longestPause: .milliseconds(500))
    try pipeline.startStepping()
    while pipeline.waitUntilReady() {
      if pipeline.tickCount == 150 { try pipeline.users[1].setMuted(true) }
      pipeline.step(atNanoseconds: pipeline.tickCount * 10_000_000)
    }
    pipeline.finishStepping()
    #expect(ends.withLock { $0 } == [150])
  }

  @Test(
    "a speech sequence has a pre-roll and bridges pauses", .shows("frames of a user"),
    arguments: [10, 20, 30])
  func speech(milliseconds: Int) async throws {
    // Two words with a pause of 400 ms, then one after 1.6 s.
    let pipeline = try pipeline([1: voice(seconds: 6, spans: [1...1.5, 1.9...2.4, 4...4.5])])
    let params = try AudioParams(sampleRate: 16_000, channelCount: 1, interval: .milliseconds(milliseconds))
    let stream = try pipeline.speech(of: 1, as: params, preRoll: .milliseconds(300), longestPause: .milliseconds(500))
    async let run: Void = pipeline.run()
    var segments: [(first: Double, last: Double, isWhole: Bool)] = []
    var isSpeech = false
    for await part in stream {
      switch part {
      case .began:
        #expect(!isSpeech)
        isSpeech = true
        segments.append((.infinity, 0, true))
      case .frame(let frame):
        #expect(isSpeech && frame.sampleRate == 16_000)
        let begin = Double(frame.samplePosition) / 16_000
        var segment = segments.removeLast()
        if segment.first < .infinity, abs(begin - segment.last) > 1e-6 { segment.isWhole = false }
        segment = (min(segment.first, begin), begin + Double(milliseconds) / 1_000, segment.isWhole)
        segments.append(segment)
      case .ended: isSpeech = false
      }
    }
    try await run
    #expect(segments.count == 2 && !isSpeech)
    for (segment, expected) in zip(segments, [(1.0, 2.4), (4, 4.5)]) {
      #expect(segment.isWhole)
      #expect(segment.first <= expected.0 - 0.25 && segment.first >= expected.0 - 0.42, "\(segment)")
      // The hangover of the detector, and the longest pause.
      #expect(segment.last >= expected.1 + 0.5 && segment.last <= expected.1 + 0.5 + 0.26, "\(segment)")
    }
  }

  @Test("a pre-roll out of range is an error", arguments: [Duration.milliseconds(-10), .milliseconds(510)])
  func preRoll(duration: Duration) throws {
    let pipeline = try pipeline([:])
    #expect(throws: EngineError.self) { try pipeline.speech(of: 1, preRoll: duration) }
  }
}

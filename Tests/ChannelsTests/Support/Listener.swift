import AudioGraph
import Channels
import Engine
import FrameObservers
import Platform
import TestSupport

/// An engine that publishes a tone and keeps the newest 100 ms of each user before mixing.
final class Listener: Sendable {
  let engine: RtcEngine
  private let heard = Guarded<[FrameOrigin: [Int16]]>([:])

  /// - Parameter frequency: Frequency of the tone, in Hz; nil: the user publishes nothing.
  init(_ relay: LoopbackRelay, tone frequency: Double?, delegate: (any RtcEngineDelegate)? = nil) throws {
    engine = try RtcEngine(appID: "demo", relay: relay.url, delegate: delegate)
    if let frequency {
      let voice = try engine.pipeline.setLocalSource(
        .push(AudioFormat(sampleRate: 16_000, channelCount: 1), buffer: .seconds(60)))
      let tone = (0..<60 * 16_000).map { Int16(16_384 * sine(frequency * Double($0) / 16_000)) }
      _ = voice.push(tone.span)
    }
    try engine.pipeline.observe(.beforeMixing) { [heard] frame, origin in
      let samples = (0..<frame.samplesPerChannel).map { frame.samples[$0 * frame.channelCount] }
      heard.withLock { heard in
        heard[origin, default: []] += samples
        let excess = heard[origin]!.count - 4_800
        if excess > 0 { heard[origin]!.removeFirst(excess) }
      }
    }
  }

  /// Forgets the sound so far, and returns whether 200 ms bring none of a user.
  func hasNothing(of uid: UInt32, in channel: String = "lobby") -> Bool {
    let origin = FrameOrigin(position: .beforeMixing, channelID: channel, uid: uid)
    heard.withLock { $0 = [:] }
    let end = engine.pipeline.tickCount + 20
    return eventually { engine.pipeline.tickCount >= end } && heard.withLock { $0[origin] } == nil
  }

  /// Amplitude of a frequency in the sound of a user as 16-bit samples; 16384 for the tone.
  func amplitude(_ frequency: Double, of uid: UInt32, in channel: String = "lobby") -> Float {
    let samples = heard.withLock { $0[FrameOrigin(position: .beforeMixing, channelID: channel, uid: uid)] ?? [] }
    guard samples.count == 4_800 else { return 0 }
    return Float(toneAmplitude(of: frequency, in: samples.lazy.map(Float.init), sampleRate: 48_000))
  }
}

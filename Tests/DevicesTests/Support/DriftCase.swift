import Devices
import TestSupport

/// A clock that drifts, and how well its device reports it.
struct DriftCase: Sendable, CustomStringConvertible {
  let skew: Double
  let sampleRate: Int
  let hasJitter: Bool

  static let all = [
    DriftCase(skew: 0, sampleRate: 48_000, hasJitter: false),
    DriftCase(skew: 300, sampleRate: 48_000, hasJitter: false),
    DriftCase(skew: -300, sampleRate: 48_000, hasJitter: true),
    DriftCase(skew: 300, sampleRate: 48_000, hasJitter: true),
    DriftCase(skew: -120, sampleRate: 44_100, hasJitter: true),
    DriftCase(skew: 80, sampleRate: 16_000, hasJitter: true),
  ]

  /// Clocks whose delay is watched: in a long run the worst ones, for a day.
  static let watched = LongRun.isWanted ? all.filter { $0.hasJitter && abs($0.skew) == 300 } : all
  static let watchedDuration: Duration = LongRun.isWanted ? .seconds(86_400) : .seconds(300)

  /// Rate of the device by the virtual clock, in Hz.
  var trueRate: Double { Double(sampleRate) * (1 + skew * 1e-6) }

  func device(_ direction: AudioDirection) -> VirtualDevice {
    VirtualDevice(
      id: "a", direction: direction, sampleRate: sampleRate, skewPartsPerMillion: skew,
      lateness: hasJitter ? .milliseconds(2) : .zero, timestampError: hasJitter ? .microseconds(300) : .zero)
  }

  var description: String { "\(skew) ppm at \(sampleRate) Hz\(hasJitter ? " with jitter" : "")" }
}

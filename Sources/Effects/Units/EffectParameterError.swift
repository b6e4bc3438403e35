/// Reason why an effect's parameter cannot be set: the value that is out of range.
public enum EffectParameterError: Error, Hashable, CustomStringConvertible {
  /// Volume out of range, in percent.
  case volume(Double, allowed: ClosedRange<Double>)
  /// Position between left and right out of range.
  case panning(Double)
  /// Level out of range, in dB.
  case level(Double, maximum: Double)
  /// Ratio of pitches out of range.
  case pitchRatio(Double)
  /// Distance of pitches out of range, in semitones.
  case semitones(Double)

  public var description: String {
    switch self {
    case .volume(let percent, let allowed):
      "a volume of \(percent) is not possible here; use \(allowed.lowerBound) to \(allowed.upperBound)"
    case .panning(let value): "a pan of \(value) is not possible; use -1 (left) to 1 (right)"
    case .level(let value, let maximum): "a gain of \(value) dB is not possible; use at most \(maximum) dB"
    case .pitchRatio(let value): "a pitch ratio of \(value) is not possible; use 0.5 to 2"
    case .semitones(let value): "a pitch \(value) semitones away is not possible; use -12 to 12"
    }
  }
}

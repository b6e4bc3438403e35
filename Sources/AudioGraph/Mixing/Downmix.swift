/// How three to eight channels become two or one: what is on the left stays there, the middle and what is behind are heard
/// 3 dB lower, on both sides or on theirs, and the low-frequency channel is left out.
///
/// Channels stand in the order of WAV: left, right, then with 3 or 5 the middle, with 6 to 8 the middle and low frequencies, then
/// the middle behind with 7, and pairs of left and right behind and at the sides. All is divided by the sum of one side's weights, so that
/// nothing is louder than it was.
///
/// Source: ITU-R BS.775-3, annex 4; the order of Microsoft's WAVEFORMATEXTENSIBLE.
package enum Downmix {
  /// Where a channel is heard.
  package enum Place: BitwiseCopyable {
    case left, right, middle, lowFrequencies, leftBehind, rightBehind, behind
  }

  /// True where channels become fewer by these weights.
  @_noLocks @inline(__always)
  package static func applies(from channelCount: Int, to targetCount: Int) -> Bool {
    channelCount > 2 && channelCount <= 8 && targetCount <= 2
  }

  /// Where channel `channel` of 3 to 8 stands.
  @_noLocks
  package static func place(of channel: Int, in channelCount: Int) -> Place {
    switch channel {
    case 0: return .left
    case 1: return .right
    case 2 where channelCount != 4: return .middle
    case 3 where channelCount > 5: return .lowFrequencies
    case 4 where channelCount == 7: return .behind
    default: break
    }
    // What is left are pairs, up to the last channel.
    return (channelCount &- channel) & 1 == 0 ? .leftBehind : .rightBehind
  }

  /// By what a channel goes into channel `target` of one or two.
  @_noLocks
  package static func weight(of channel: Int, in channelCount: Int, for target: Int, of targetCount: Int) -> Float {
    var whole: Float = 0
    for other in 0..<channelCount { whole += side(place(of: other, in: channelCount), isRight: false) }
    let place = place(of: channel, in: channelCount)
    guard targetCount == 2 else {
      return (side(place, isRight: false) + side(place, isRight: true)) / (2 * whole)
    }
    return side(place, isRight: target == 1) / whole
  }

  @_noLocks
  private static func side(_ place: Place, isRight: Bool) -> Float {
    let lower: Float = 0.707_106_77
    switch place {
    case .left: return isRight ? 0 : 1
    case .right: return isRight ? 1 : 0
    case .middle: return lower
    case .lowFrequencies: return 0
    case .leftBehind: return isRight ? 0 : lower
    case .rightBehind: return isRight ? lower : 0
    case .behind: return 0.5
    }
  }
}

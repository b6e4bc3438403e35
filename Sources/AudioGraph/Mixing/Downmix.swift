/// The downmix of three to eight channels to two or one.
///
/// Channels on the left stay on the left. The middle and the channels behind are heard 3 dB lower, on both sides or on
/// their own side. The low-frequency channel is left out.
///
/// The places of the channels are those in the frame's header. Without them, the usual order of WAV files applies: left
/// and right first. With 3 or 5 channels the middle follows, with 6 to 8 the middle and low frequencies. Then come the
/// middle behind with 7, and pairs of left and right behind and at the sides. All is divided by the larger sum of a
/// side's weights, so that nothing gets louder.
///
/// Source: ITU-R BS.775-3, annex 4; the loudspeakers of Microsoft's WAVEFORMATEXTENSIBLE (ksmedia.h).
package enum Downmix {
  /// Place at which a channel is heard.
  package enum Place: BitwiseCopyable {
    case left, right, middle, lowFrequencies, leftBehind, rightBehind, behind
  }

  /// Returns whether these weights apply to a change from `channelCount` to `targetCount` channels.
  @_noLocks @inlinable @inline(__always)
  package static func applies(from channelCount: Int, to targetCount: Int) -> Bool {
    channelCount > 2 && channelCount <= 8 && targetCount <= 2
  }

  /// Returns the usual loudspeakers of 1 to 8 channels, bit by bit: mono, stereo, 3.0, quad, 5.0, 5.1, 6.1, 7.1.
  @_noLocks
  package static func usualSpeakers(_ channelCount: Int) -> UInt32 {
    switch channelCount {
    case 1: 0x4
    case 2: 0x3
    case 3: 0x7
    case 4: 0x33
    case 5: 0x37
    case 6: 0x3F
    case 7: 0x70F
    default: 0x63F
    }
  }

  /// Returns whether `speakers` are as many as the channels, and none of them is overhead.
  @_noLocks
  package static func isKnown(_ speakers: UInt32, channelCount: Int) -> Bool {
    speakers & ~0x7FF == 0 && speakers.nonzeroBitCount == channelCount
  }

  /// Returns the place of channel `channel` of 1 to 8.
  @_noLocks
  package static func place(of channel: Int, in channelCount: Int, speakers: UInt32) -> Place {
    var left = isKnown(speakers, channelCount: channelCount) ? speakers : usualSpeakers(channelCount)
    for _ in 0..<channel { left &= left &- 1 }
    switch left.trailingZeroBitCount {
    case 0, 6: return .left
    case 1, 7: return .right
    case 2: return .middle
    case 3: return .lowFrequencies
    case 4, 9: return .leftBehind
    case 5, 10: return .rightBehind
    default: return .behind
    }
  }

  /// Returns the weight of a channel in channel `target` of one or two.
  @_noLocks
  package static func weight(
    of channel: Int, in channelCount: Int, speakers: UInt32, for target: Int, of targetCount: Int
  ) -> Float {
    var (left, right): (Float, Float) = (0, 0)
    for other in 0..<channelCount {
      let place = place(of: other, in: channelCount, speakers: speakers)
      left += side(place, isRight: false)
      right += side(place, isRight: true)
    }
    let whole = max(left, right)
    let place = place(of: channel, in: channelCount, speakers: speakers)
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

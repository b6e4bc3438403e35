/// Order of channels in a file that differs from the order of WAV, which is the order of frames.
struct ChannelOrder {
  /// Place in the file of each channel, in WAV's order.
  private let places: [Int]

  /// Creates the order of Ogg Vorbis and Opus; nil if it is WAV's.
  ///
  /// Source: Vorbis I, section 4.3.9; RFC 7845, section 5.1.1.2 (mapping family 1 of Opus).
  init?(ofVorbisChannels channelCount: Int) {
    switch channelCount {
    // Left, middle, right.
    case 3: places = [0, 2, 1]
    // Left, middle, right, left behind, right behind.
    case 5: places = [0, 2, 1, 3, 4]
    // As before, then low frequencies.
    case 6: places = [0, 2, 1, 5, 3, 4]
    // Left, middle, right, left side, right side, behind, low frequencies.
    case 7: places = [0, 2, 1, 6, 5, 3, 4]
    // Left, middle, right, left side, right side, left behind, right behind, low frequencies.
    case 8: places = [0, 2, 1, 7, 5, 6, 3, 4]
    default: return nil
    }
  }

  /// Creates the order of channels with the given loudspeakers, each a bit of WAV's mask; nil if it is WAV's.
  init?(ofSpeakers speakers: [UInt32]) {
    places = speakers.indices.sorted { speakers[$0] < speakers[$1] }
    guard !places.elementsEqual(speakers.indices) else { return nil }
  }

  /// Returns whether Vorbis has these loudspeakers for so many channels. With one pair besides the front pair, side and
  /// back count as the same.
  static func vorbisHolds(_ speakers: UInt32, channelCount: Int) -> Bool {
    switch channelCount {
    case 1: speakers == 0x4
    case 2: speakers == 0x3
    case 3: speakers == 0x7
    case 4: speakers == 0x33 || speakers == 0x603
    case 5: speakers == 0x37 || speakers == 0x607
    case 6: speakers == 0x3F || speakers == 0x60F
    case 7: speakers == 0x70F
    case 8: speakers == 0x63F
    default: false
    }
  }

  /// Reorders interleaved samples from the file's order to WAV's.
  func toWAV(_ samples: UnsafeMutablePointer<Float>, count: Int) { reorder(samples, count, from: places) }

  /// Reorders interleaved samples from WAV's order to the file's.
  func fromWAV(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    reorder(samples, count, from: places.indices.map { places.firstIndex(of: $0)! })
  }

  private func reorder(_ samples: UnsafeMutablePointer<Float>, _ count: Int, from places: [Int]) {
    withUnsafeTemporaryAllocation(of: Float.self, capacity: places.count) { frame in
      for index in 0..<count {
        let first = samples + index * places.count
        for channel in places.indices { frame[channel] = first[places[channel]] }
        first.update(from: frame.baseAddress!, count: places.count)
      }
    }
  }
}

public import AudioGraph

/// A sound in memory, for sounds that are short enough to be there as a whole.
///
/// ```swift
/// var sound = try AudioFileReader.open(path: "talk.wav").readAll()
/// for channel in sound.planes.indices {
///   for index in sound.planes[channel].indices { sound.planes[channel][index] *= 0.5 }
/// }
/// try AudioFileOutput.write(sound, to: "quiet.wav")
/// ```
/// Shape: one array of Float32 for each channel, all of `samplesPerChannel` samples; full scale is -1 to 1.
public struct AudioSamples: Hashable, Sendable {
  /// Sample rate and channels.
  public let format: AudioFormat
  /// Samples of each channel. There are `format.channelCount` arrays of equal length.
  public var planes: [[Float]]
  /// Loudspeakers of the channels, bit by bit as in WAVEFORMATEXTENSIBLE; 0 for the usual ones.
  public var speakers: UInt32

  /// Creates a sound from planes.
  ///
  /// - Parameters:
  ///   - format: Sample rate and channels.
  ///   - planes: Samples of each channel: `format.channelCount` arrays of equal length.
  ///   - speakers: Loudspeakers of the channels, bit by bit; 0 for the usual ones.
  public init(format: AudioFormat, planes: [[Float]], speakers: UInt32 = 0) {
    self.format = format
    self.planes = planes
    self.speakers = speakers
    checkShape()
  }

  /// Creates a sound from interleaved samples: the first of each channel, then the second of each channel, and so on.
  ///
  /// - Parameters:
  ///   - format: Sample rate and channels.
  ///   - interleaved: Samples; their number is a multiple of `format.channelCount`.
  ///   - speakers: Loudspeakers of the channels, bit by bit; 0 for the usual ones.
  public init(format: AudioFormat, interleaved: [Float], speakers: UInt32 = 0) {
    let channelCount = format.channelCount
    precondition(interleaved.count % channelCount == 0, "interleaved samples end within the channels of a sample")
    self.init(
      format: format,
      planes: (0..<channelCount).map { channel in
        stride(from: channel, to: interleaved.count, by: channelCount).map { interleaved[$0] }
      }, speakers: speakers)
  }

  /// Samples per channel.
  public var samplesPerChannel: Int { planes.first?.count ?? 0 }

  /// Duration in seconds.
  public var durationSeconds: Double { Double(samplesPerChannel) / Double(format.sampleRate) }

  /// Interleaved samples: the first of each channel, then the second of each channel, and so on. Cost: a copy.
  public var interleaved: [Float] {
    checkShape()
    if planes.count == 1 { return planes[0] }
    return [Float](unsafeUninitializedCapacity: planes.count * samplesPerChannel) { samples, count in
      for (channel, plane) in planes.enumerated() {
        for (index, sample) in plane.enumerated() {
          samples.initializeElement(at: index * planes.count + channel, to: sample)
        }
      }
      count = planes.count * samplesPerChannel
    }
  }

  func checkShape() {
    precondition(
      planes.count == format.channelCount && planes.allSatisfy { $0.count == planes[0].count },
      "a sound needs a plane for each channel, all of equal length")
  }
}

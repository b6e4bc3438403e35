/// The sample rate and channel count of a stream of planar Float32 frames.
public struct AudioFormat: Hashable, Sendable {
  /// Sample rates that a graph can run at, in Hz.
  public static let sampleRates = 8_000...192_000
  /// Channel counts that a frame can carry.
  public static let channelCounts = 1...8

  /// Samples per second and channel, in Hz.
  public let sampleRate: Int
  /// Channels of one frame.
  public let channelCount: Int

  /// Creates a format.
  ///
  /// - Throws: `AudioFormatError` that names the value out of range.
  public init(sampleRate: Int, channelCount: Int) throws(AudioFormatError) {
    guard Self.sampleRates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
    guard Self.channelCounts.contains(channelCount) else { throw .channelCount(channelCount) }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}

extension AudioFormat: CustomStringConvertible {
  public var description: String { "\(sampleRate) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s")" }
}

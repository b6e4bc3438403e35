/// The format in which an observer wants its frames.
///
/// Source: the contract of `setRecordingAudioFrameParameters` and its siblings in commercial voice SDKs.
public struct AudioParams: Hashable, Sendable {
  /// Sample rates that observers can request, in Hz.
  public static let sampleRates = [8_000, 16_000, 24_000, 32_000, 44_100, 48_000]

  /// Samples per second and channel, in Hz.
  public let sampleRate: Int
  /// Channels of one frame: 1 or 2.
  public let channelCount: Int
  /// Access of the observer to frames.
  public private(set) var access: ObserverAccess
  /// Samples of all channels in one call: 960 for 10 ms of 48 kHz stereo.
  public let samplesPerCall: Int

  /// Checks and keeps the values. The interval, samplesPerCall / (sampleRate x channelCount), must be at least 10 ms.
  ///
  /// - Throws: `AudioParamsError` that names the impossible value.
  public init(
    sampleRate: Int, channelCount: Int, access: ObserverAccess = .readOnly, samplesPerCall: Int
  ) throws(AudioParamsError) {
    guard Self.sampleRates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
    guard (1...2).contains(channelCount) else { throw .channelCount(channelCount) }
    guard samplesPerCall % channelCount == 0 else {
      throw .notWholeFrames(samplesPerCall: samplesPerCall, channelCount: channelCount)
    }
    let minimum = (sampleRate * channelCount + 99) / 100
    guard samplesPerCall >= minimum else {
      throw .intervalTooShort(samplesPerCall: samplesPerCall, minimum: minimum)
    }
    guard samplesPerCall <= sampleRate * channelCount * 10 else {
      throw .intervalTooLong(samplesPerCall: samplesPerCall, maximum: sampleRate * channelCount * 10)
    }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.access = access
    self.samplesPerCall = samplesPerCall
  }

  /// Checks and keeps the values.
  ///
  /// - Parameters:
  ///   - sampleRate: Samples per second and channel, in Hz.
  ///   - channelCount: Channels of one frame: 1 or 2.
  ///   - interval: Time from one call to the next, 10 ms to 10 s; rounded to whole samples.
  ///   - access: Access of the observer to frames.
  /// - Throws: `AudioParamsError` that names the impossible value.
  public init(
    sampleRate: Int, channelCount: Int, interval: Duration = .milliseconds(10), access: ObserverAccess = .readOnly
  ) throws(AudioParamsError) {
    // The other initializer refuses intervals above the longest one; they must not overflow here.
    let seconds = min(max(interval / .seconds(1), 0), 100)
    let samples = Int((seconds * Double(sampleRate)).rounded())
    try self.init(
      sampleRate: sampleRate, channelCount: channelCount, access: access, samplesPerCall: samples * channelCount)
  }

  /// The same params with read-write access.
  package var writable: AudioParams {
    var params = self
    params.access = .readWrite
    return params
  }

  /// Samples of one channel in one call.
  public var samplesPerChannel: Int { @_noLocks get { samplesPerCall / channelCount } }
}

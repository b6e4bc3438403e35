import AudioGraph
import DSP
import OpusCodec
import Platform
import RTP
import Resampling

/// Encodes frames of 48 kHz as plain samples (PCMU, PCMA, L16) at the rate of a stream's clock.
///
/// For one channel out of two, the mean of both is sent. Other rates than 48 kHz add the delay of `ConversionQuality`'s
/// `lowDelay`. Thread: audio. Real-time: wait-free. All memory is allocated in `init`.
struct LinearEncoder: ~Copyable {
  /// Most bytes of a payload: with all headers it fits into an Ethernet frame.
  private static var mostBytes: Int { @_noLocks get { 1_400 } }
  private static var samplesPerFrame: Int { @_noLocks get { 480 } }
  /// Frames in the longest packet.
  private static var mostFrames: Int { @_noLocks get { 2 } }

  /// Channels of the payloads.
  let channelCount: Int
  /// Samples per channel that wait to be sent, at the stream's rate.
  private(set) var heldCount = 0
  /// Samples that wait, interleaved.
  let held: UnsafeMutablePointer<Float>
  private let inputChannels: Int
  private let law: Companding?
  private var converter: RateConverter
  /// Units of the stream's clock in pauses.
  private var passed: PhaseCounter
  private let scratch: UnsafeMutablePointer<Float>

  /// Creates an encoder.
  ///
  /// - Parameters:
  ///   - law: code of a sample in eight bits; nil for L16.
  ///   - sampleRate: rate of the stream's clock, in Hz.
  ///   - channelCount: channels of the payloads.
  ///   - inputChannels: channels of the frames.
  /// - Throws: `EngineError` with code `.general` if the rate converter cannot be made.
  init(_ law: Companding?, sampleRate: Int, channelCount: Int, inputChannels: Int) throws(EngineError) {
    let count = LinearEncoder.samplesPerFrame
    let converter: RateConverter
    do throws(ResamplingError) {
      converter = try RateConverter(
        from: OpusOptions.sampleRate, to: sampleRate, channelCount: channelCount, quality: .lowDelay,
        maximumInputCount: count)
    } catch {
      throw EngineError(.general, error.description, cause: error)
    }
    self.converter = converter
    self.law = law
    self.channelCount = channelCount
    self.inputChannels = inputChannels
    passed = PhaseCounter(from: OpusOptions.sampleRate, to: sampleRate)
    scratch = .allocate(capacity: count * channelCount)
    scratch.initialize(repeating: 0, count: count * channelCount)
    let capacity = LinearEncoder.mostFrames * (count + 1) * channelCount
    held = .allocate(capacity: capacity)
    held.initialize(repeating: 0, count: capacity)
  }

  deinit {
    scratch.deallocate()
    held.deallocate()
  }

  /// Adds a frame behind the samples that wait.
  @_noLocks
  mutating func append(_ frame: Frame) {
    for channel in 0..<channelCount {
      let plane = frame.channel(channel)
      for index in 0..<LinearEncoder.samplesPerFrame {
        var value = OpusEncoder.bounded(plane[index])
        if channelCount < inputChannels { value = (value + OpusEncoder.bounded(frame.channel(1)[index])) / 2 }
        scratch[index &* channelCount &+ channel] = value
      }
    }
    convert()
  }

  /// Adds a frame of silence.
  @_noLocks
  mutating func appendSilence() {
    for index in 0..<(LinearEncoder.samplesPerFrame &* channelCount) { scratch[index] = 0 }
    convert()
  }

  /// Returns the samples per channel of the next packet out of those that wait: all, or equal parts that fit.
  @_noLocks
  func nextCount(after sent: Int) -> Int {
    let most = LinearEncoder.mostBytes / (bytesPerValue &* channelCount)
    let parts = (heldCount &+ most &- 1) / most
    return parts == 0 ? 0 : min((heldCount &+ parts &- 1) / parts, heldCount &- sent)
  }

  /// Writes the payload of `count` samples per channel behind the first `sent`.
  ///
  /// - Returns: bytes of the payload; 0 if they do not fit.
  @_noLocks
  func write(_ count: Int, after sent: Int, to payload: UnsafeMutableRawBufferPointer) -> Int {
    let values = count &* channelCount
    guard let base = payload.baseAddress, payload.count >= values &* bytesPerValue else { return 0 }
    let samples = held + sent &* channelCount
    for index in 0..<values {
      let sample = SampleConversion.int16(samples[index])
      if let law {
        base.storeBytes(of: law.byte(of: sample), toByteOffset: index, as: UInt8.self)
      } else {
        base.storeBytes(of: sample.bigEndian, toByteOffset: 2 &* index, as: Int16.self)
      }
    }
    return values &* bytesPerValue
  }

  /// Forgets the samples that wait.
  @_noLocks
  mutating func removeAll() { heldCount = 0 }

  /// Returns the units of the stream's clock in `count` samples of 48 kHz without sound; parts of a unit are kept for
  /// the next call.
  @_noLocks
  mutating func pass(_ count: Int) -> Int { passed.outputCount(forInput: count) }

  private var bytesPerValue: Int {
    @_noLocks get {
      if case .some = law { return 1 }
      return 2
    }
  }

  @_noLocks
  private mutating func convert() {
    heldCount &+= converter.process(
      scratch, inputCount: LinearEncoder.samplesPerFrame, output: held + heldCount &* channelCount)
  }
}

extension SenderCodec {
  /// Returns the encoder of plain samples for a sender with `channelCount` channels; nil for other codecs.
  func makeLinearEncoder(channelCount: Int) throws(EngineError) -> LinearEncoder? {
    guard let format = format(channelCount: channelCount) else { return nil }
    let law: Companding? =
      switch format.encoding {
      case .pcmu: .muLaw
      case .pcma: .aLaw
      case .opus, .linear16: nil
      }
    guard format.encoding != .opus else { return nil }
    return try LinearEncoder(
      law, sampleRate: format.clockRate, channelCount: format.channelCount, inputChannels: channelCount)
  }
}

import AudioGraph
import Resampling

/// Turns the pipeline's frames into blocks of the format that an observer asked for.
///
///     frame ──▶ channels ──▶ rate ──▶ blocks of samplesPerCall
struct FrameReshaper: ~Copyable {
  let params: AudioParams
  /// Samples per channel at the observer's rate by which the blocks lag behind the frames.
  let delay: Int
  private let format: AudioFormat
  private var converter: RateConverter
  private var reframer: Reframer
  private let mapped: UnsafeMutablePointer<Float>
  private let converted: UnsafeMutablePointer<Float>
  private var header = FrameHeader(samplePosition: 0, samplesPerChannel: 0)
  private var isFresh = true
  private var zerosLeft = 0
  private var waiting = 0
  private var calls = 0

  init(format: AudioFormat, params: AudioParams, quality: ConversionQuality, wholeInputDelay: Bool)
    throws(ResamplingError)
  {
    self.format = format
    self.params = params
    let frame = FrameSchedule(sampleRate: format.sampleRate).maximumSamplesPerChannel
    converter = try RateConverter(
      from: format.sampleRate, to: params.sampleRate, channelCount: params.channelCount, quality: quality,
      maximumInputCount: frame, wholeInputDelay: wholeInputDelay)
    delay = converter.delay
    let most = PhaseCounter(from: format.sampleRate, to: params.sampleRate).maximumOutputCount(forInput: frame)
    reframer = Reframer(
      samplesPerBlock: params.samplesPerChannel, channelCount: params.channelCount, maximumInputCount: most)
    mapped = .allocate(capacity: frame * params.channelCount)
    mapped.initialize(repeating: 0, count: frame * params.channelCount)
    converted = .allocate(capacity: most * params.channelCount)
    converted.initialize(repeating: 0, count: most * params.channelCount)
  }

  deinit {
    mapped.deallocate()
    converted.deallocate()
  }

  @_noLocks
  mutating func push(_ frame: Frame) {
    if isFresh {
      header = frame.header.pointee
      let position = frame.header.pointee.samplePosition
      header.samplePosition = floorDivide(position &* params.sampleRate, format.sampleRate) &- delay &- waiting
      isFresh = false
    } else {
      takeOver(frame.header.pointee)
    }
    ChannelMapping.interleave(frame, channelCount: params.channelCount, mapped)
    let count = converter.process(mapped, inputCount: frame.samplesPerChannel, output: converted)
    // What the converter still holds from before a pause is not part of this stream.
    let stale = min(zerosLeft, count)
    for index in 0..<(stale &* params.channelCount) { converted[index] = 0 }
    zerosLeft &-= stale
    reframer.push(converted, inputCount: count)
  }

  /// Points `block` at the next whole block. Returns: false when more frames are needed.
  @_noLocks
  mutating func next(_ block: UnsafeMutablePointer<ObservedBlock>) -> Bool {
    guard let samples = reframer.next() else { return false }
    block.pointee.header = header
    block.pointee.header.samplesPerChannel = params.samplesPerChannel
    block.pointee.header.sequenceNumber = calls
    block.pointee.interleaved = samples
    block.pointee.native = nil
    header.samplePosition &+= params.samplesPerChannel
    calls &+= 1
    return true
  }

  /// Begins a new stream after a pause: the first blocks start with the delay, and what waited before, as zeros.
  ///
  /// Nothing is thrown away, so that as many samples leave as have come in and a way back stays in step.
  @_noLocks
  mutating func restart() {
    isFresh = true
    zerosLeft = delay
    waiting = reframer.silence()
  }

  /// Time and origin follow the pipeline; the position is the stream's own.
  @_noLocks
  private mutating func takeOver(_ newer: FrameHeader) {
    let position = header.samplePosition
    header = newer
    header.samplePosition = position
  }
}

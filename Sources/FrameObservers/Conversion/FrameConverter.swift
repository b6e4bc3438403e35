import AudioGraph
import Resampling

/// Converts the pipeline's frames into blocks of the format that an observer requested.
///
///     frame ──▶ channels ──▶ rate ──▶ blocks of samplesPerCall
struct FrameConverter: ~Copyable {
  let params: AudioParams
  /// Samples per channel at the observer's rate by which the blocks lag behind the frames.
  let delay: Int
  /// Start of the next block, in samples at the observer's rate, in the time that `push` counts.
  private(set) var nextStart = 0
  private let format: AudioFormat
  private var converter: RateConverter
  private var reframer: Reframer
  private var trail: HeaderQueue
  private let mapped: UnsafeMutablePointer<Float>
  private let converted: UnsafeMutablePointer<Float>
  private var isFresh = true
  private var nextPosition = 0
  /// Samples outside any frame: the converter's earlier content, and its filter's early response to the first frame.
  private var zerosLeft: Int
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
    zerosLeft = delay
    let most = PhaseCounter(from: format.sampleRate, to: params.sampleRate).maximumOutputCount(forInput: frame)
    reframer = Reframer(
      samplesPerBlock: params.samplesPerChannel, channelCount: params.channelCount, maximumInputCount: most)
    let least = params.sampleRate / FrameSchedule.framesPerSecond
    trail = HeaderQueue(capacity: (delay + 2 * params.samplesPerChannel) / least + 4, sampleRate: params.sampleRate)
    mapped = .allocate(capacity: frame * params.channelCount)
    mapped.initialize(repeating: 0, count: frame * params.channelCount)
    converted = .allocate(capacity: most * params.channelCount)
    converted.initialize(repeating: 0, count: most * params.channelCount)
  }

  deinit {
    mapped.deallocate()
    converted.deallocate()
  }

  /// Takes a frame. All complete blocks must have been taken before.
  ///
  /// - Parameters:
  ///   - frame: Frame in the pipeline's format.
  ///   - time: Samples of the pipeline before this frame, whatever its header says: a position may jump.
  @_noLocks
  mutating func push(_ frame: Frame, at time: Int) {
    let start = toObserver(time)
    if isFresh { nextStart = start &- delay &- waiting }
    let position = frame.header.pointee.samplePosition
    trail.append(
      frame.header.pointee, start: start, position: toObserver(position),
      isContinuous: !isFresh && position == nextPosition)
    isFresh = false
    nextPosition = position &+ frame.samplesPerChannel
    ChannelMapping.interleave(frame, channelCount: params.channelCount, mapped)
    let count = converter.process(mapped, inputCount: frame.samplesPerChannel, output: converted)
    let stale = min(zerosLeft, count)
    for index in 0..<(stale &* params.channelCount) { converted[index] = 0 }
    zerosLeft &-= stale
    reframer.push(converted, inputCount: count)
  }

  /// Points `block` at the next complete block.
  ///
  /// - Returns: False if more frames are needed.
  @_noLocks
  mutating func next(_ block: UnsafeMutablePointer<ObservedBlock>) -> Bool {
    guard let samples = reframer.next() else { return false }
    block.pointee.header = trail.header(at: nextStart)
    block.pointee.header.samplesPerChannel = params.samplesPerChannel
    block.pointee.header.sequenceNumber = calls
    block.pointee.interleaved = samples
    block.pointee.native = nil
    nextStart &+= params.samplesPerChannel
    calls &+= 1
    return true
  }

  /// Starts a new stream after a pause: the first blocks start with the delay and the waiting samples, as zeros.
  ///
  /// No sample is discarded, so that as many samples leave as have come in, and a return path stays in step.
  @_noLocks
  mutating func restart() {
    isFresh = true
    zerosLeft = delay
    waiting = reframer.silence()
    trail.clear()
  }

  @_noLocks
  private func toObserver(_ samples: Int) -> Int { floorDivide(samples &* params.sampleRate, format.sampleRate) }
}

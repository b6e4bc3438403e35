import AudioGraph
import Resampling

/// Delivers frames to an observer in the format that it requested.
///
/// Thread: the audio thread for a synchronous observer, the registration's own for an asynchronous one.
struct FrameDelivery: ~Copyable {
  private let target: Unmanaged<ObserverTarget>
  private let block: UnsafeMutablePointer<ObservedBlock>
  private let scratch: UnsafeMutablePointer<Int16>
  /// Converter to the observer's format; nil if the observer takes the pipeline's own format.
  private let reshaper: UnsafeMutablePointer<FrameConverter>?
  private var calls = 0
  private var nextTick: Int?
  private var time = 0

  /// Creates a delivery; the caller keeps `target` alive as long as the delivery is in use.
  init(format: AudioFormat, params: AudioParams?, target: ObserverTarget, quality: ConversionQuality)
    throws(ResamplingError)
  {
    let converted = try Self.reshaper(format: format, params: params, quality: quality)
    self.target = .passUnretained(target)
    let frame = FrameSchedule(sampleRate: format.sampleRate).maximumSamplesPerChannel * format.channelCount
    let room = max(frame, params?.samplesPerCall ?? 0)
    scratch = .allocate(capacity: room)
    scratch.initialize(repeating: 0, count: room)
    block = .allocate(capacity: 1)
    block.initialize(
      to: ObservedBlock(
        header: FrameHeader(samplePosition: 0, samplesPerChannel: 0),
        sampleRate: params?.sampleRate ?? format.sampleRate, channelCount: params?.channelCount ?? format.channelCount,
        interleaved: nil, native: nil, scratch: scratch, isWritable: false))
    reshaper = converted
  }

  deinit {
    reshaper?.deinitialize(count: 1)
    reshaper?.deallocate()
    block.deallocate()
    scratch.deallocate()
  }

  /// Samples per channel, at the observer's rate, by which its frames lag behind the pipeline's.
  var delay: Int { reshaper?.pointee.delay ?? 0 }

  /// Delivers a frame to the observer.
  ///
  /// - Parameters:
  ///   - frame: Frame in the pipeline's format.
  ///   - tick: Number of the pipeline's frame; frames that were left out count, too.
  @_noLocks
  mutating func deliver(_ frame: Frame, tick: Int) {
    guard let reshaper else { return deliverNative(frame) }
    // Frames were left out because of the mask, or dropped: a new stream follows.
    if let nextTick, tick != nextTick { reshaper.pointee.restart() }
    nextTick = tick &+ 1
    reshaper.pointee.push(frame, at: time)
    time &+= frame.samplesPerChannel
    while reshaper.pointee.next(block) {
      block.pointee.isConverted = false
      FrameObservers.deliver(block, to: target)
    }
  }

  @_noLocks
  private mutating func deliverNative(_ frame: Frame) {
    block.pointee.header = frame.header.pointee
    block.pointee.header.sequenceNumber = calls
    block.pointee.native = frame
    block.pointee.isConverted = false
    calls &+= 1
    FrameObservers.deliver(block, to: target)
  }

  private static func reshaper(format: AudioFormat, params: AudioParams?, quality: ConversionQuality)
    throws(ResamplingError) -> UnsafeMutablePointer<FrameConverter>?
  {
    guard let params else { return nil }
    let reshaper = try FrameConverter(format: format, params: params, quality: quality, wholeInputDelay: false)
    let pointer = UnsafeMutablePointer<FrameConverter>.allocate(capacity: 1)
    pointer.initialize(to: reshaper)
    return pointer
  }
}

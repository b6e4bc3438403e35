import AudioGraph
import Resampling

/// The pulling side: ring, converter and its surplus samples, one thread at a time.
struct PullOutput: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): reached through a mutex only.
  private var frames: RingConsumer<Frame>
  private var converter: RateConverter
  /// Samples due for the frames so far; the converter's own count also includes the zeros that flush it.
  private var due: PhaseCounter
  private var given = 0
  private let streamEnd: @Sendable () -> Int?
  private let onRelease: Doorbell
  private let mapped: UnsafeMutablePointer<Float>
  private let held: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let ring: FrameRing
  /// Frames of the ring that were dropped before the newest one.
  private var dropped = 0
  /// Position behind the newest frame; nil before the first.
  private var nextPosition: Int?
  /// Interleaved samples before the newest frame, for a crossfade over dropped ones.
  private let joint: UnsafeMutablePointer<Float>
  /// Samples per channel of a crossfade.
  private let jointLength: Int
  private var begin = 0
  private var end = 0
  private var leading: Int
  /// Samples of the newest `take`.
  private(set) var taken: UnsafeMutablePointer<Float>

  static func converter(from native: AudioFormat, to format: AudioFormat) throws(ResamplingError) -> RateConverter {
    guard format.channelCount <= 2 || format.channelCount == native.channelCount else {
      throw .unsupportedChannelCount(format.channelCount)
    }
    return try RateConverter(
      from: native.sampleRate, to: format.sampleRate, channelCount: format.channelCount, quality: .lowDelay,
      maximumInputCount: FrameSchedule(sampleRate: native.sampleRate).maximumSamplesPerChannel)
  }

  init(
    _ converter: consuming RateConverter, _ ring: FrameRing, sampleRate: Int, end: @escaping @Sendable () -> Int?,
    onRelease: Doorbell
  ) {
    self.ring = ring
    jointLength = sampleRate / 200
    joint = .allocate(capacity: max(1, jointLength * converter.channelCount))
    joint.initialize(repeating: 0, count: max(1, jointLength * converter.channelCount))
    streamEnd = end
    due = PhaseCounter(from: converter.inputRate, to: converter.outputRate)
    channelCount = converter.channelCount
    leading = converter.delay
    let frame = converter.maximumInputCount
    mapped = .allocate(capacity: frame * channelCount)
    held = .allocate(capacity: max(1, due.maximumOutputCount(forInput: frame)) * channelCount)
    taken = held
    self.converter = converter
    frames = ring.takeConsumer()
    self.onRelease = onRelease
  }

  deinit {
    mapped.deallocate()
    held.deallocate()
    joint.deallocate()
  }

  /// Whether no frame will follow and the converter has no samples left.
  var isFinished: Bool {
    mutating get { frames.isFinished && frames.readableCount == 0 && given == due.outputTotal }
  }

  /// Ensures that samples can be taken.
  ///
  /// - Returns: False if no frame waits.
  mutating func refill() -> Bool {
    while begin == end {
      if let slot = frames.peek() {
        let frame = slot.pointee
        let position = frame.header.pointee.samplePosition
        let first = min(frame.samplesPerChannel, max(0, -position))
        let last = min(frame.samplesPerChannel, max(first, (streamEnd() ?? .max / 2) - position))
        interleave(frame, first..<last)
        join(position, count: last - first)
        nextPosition = position + frame.samplesPerChannel
        frames.release(1)
        onRelease.ring()
        _ = due.outputCount(forInput: last - first)
        convert(last - first)
      } else if frames.isFinished, given < due.outputTotal {
        mapped.update(repeating: 0, count: converter.maximumInputCount * channelCount)
        convert(converter.maximumInputCount)
      } else {
        return false
      }
    }
    return true
  }

  /// Converts the samples in `mapped`; the initial delay and samples beyond those due are left out.
  private mutating func convert(_ count: Int) {
    let converted = converter.process(mapped, inputCount: count, output: held)
    begin = min(leading, converted)
    leading -= begin
    end = min(converted, begin + due.outputTotal - given)
    given += end - begin
  }

  mutating func take(upTo count: Int) -> Int {
    let given = min(count, end - begin)
    taken = held + begin * channelCount
    begin += given
    return given
  }

  /// Crossfades the samples in `mapped` with those before dropped frames, which are played backwards: nothing is known
  /// behind them. Remembers the newest samples.
  private mutating func join(_ position: Int, count: Int) {
    let isGap = ring.droppedCount != dropped && position > nextPosition ?? position
    dropped = ring.droppedCount
    let length = min(jointLength, count)
    if isGap {
      for index in 0..<(length * channelCount) {
        let weight = Float(index / channelCount) / Float(jointLength)
        let before = joint[(jointLength - 1 - index / channelCount) * channelCount + index % channelCount]
        mapped[index] = mapped[index] * weight + before * (1 - weight)
      }
    }
    let kept = (jointLength - length) * channelCount
    for index in 0..<kept { joint[index] = joint[index + length * channelCount] }
    for index in 0..<(length * channelCount) { joint[kept + index] = mapped[(count - length) * channelCount + index] }
  }

  /// Interleaves a span of a frame. Mono from more channels is their mean; stereo from mono is the same on both sides.
  private func interleave(_ frame: Frame, _ range: Range<Int>) {
    for channel in 0..<channelCount {
      let first = channel % frame.channelCount
      let sources = stride(from: first, to: frame.channelCount, by: channelCount)
      let weight = 1 / Float((frame.channelCount - first + channelCount - 1) / channelCount)
      for index in range {
        var sum: Float = 0
        for source in sources { sum += frame.channel(source)[index] }
        mapped[(index - range.lowerBound) * channelCount + channel] = sum * weight
      }
    }
  }
}

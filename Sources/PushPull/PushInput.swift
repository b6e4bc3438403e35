import AudioGraph
import Resampling

/// The pushing side of a `PushSource`: converter and ring, one thread at a time.
struct PushInput: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): reached through a mutex only.
  var ring: RingProducer<Float>
  let staging: UnsafeMutablePointer<Float>
  /// Samples per channel written to the ring.
  private(set) var written = 0
  /// Number of times that waiting samples were discarded.
  var epoch = 0
  /// Whether samples were discarded since `played` has last returned.
  var isCut = false
  /// Whether an asynchronous push writes an utterance.
  var isTurnTaken = false
  /// Newest samples of the utterance, interleaved, and their count per channel.
  private let recent: UnsafeMutablePointer<Float>
  private var recentCount = 0
  /// Samples per channel written before the present utterance.
  private var utteranceStart = 0
  private var converter: RateConverter
  private var counter: PhaseCounter
  private let converted: UnsafeMutablePointer<Float>
  private let chunk: Int
  private let channelCount: Int
  /// Samples of the converter's delay that are still to be left out, so that the first sample is the first pushed one.
  private var leading: Int

  init(_ format: AudioFormat, sampleRate: Int, ring: consuming RingProducer<Float>) throws(ResamplingError) {
    channelCount = format.channelCount
    chunk = FrameSchedule(sampleRate: format.sampleRate).maximumSamplesPerChannel
    converter = try RateConverter(
      from: format.sampleRate, to: sampleRate, channelCount: channelCount, quality: .lowDelay, maximumInputCount: chunk)
    counter = PhaseCounter(from: format.sampleRate, to: sampleRate)
    leading = converter.delay
    staging = .allocate(capacity: chunk * channelCount)
    recent = .allocate(capacity: chunk * channelCount)
    let room = counter.maximumOutputCount(forInput: chunk)
    converted = .allocate(capacity: room * channelCount)
    self.ring = ring
  }

  deinit {
    staging.deallocate()
    recent.deallocate()
    converted.deallocate()
  }

  /// Samples per channel that one `convert` accepts now.
  var acceptableCount: Int {
    mutating get {
      let free = ring.freeCount / channelCount
      if free >= counter.maximumOutputCount(forInput: chunk) { return chunk }
      var low = 0
      while low < chunk, counter.maximumOutputCount(forInput: low + 1) <= free { low += 1 }
      return low
    }
  }

  /// Reserves the ring for one utterance.
  ///
  /// - Returns: False if another one is written.
  mutating func takeTurn() -> Bool {
    guard !isTurnTaken else { return false }
    isTurnTaken = true
    return true
  }

  /// Converts the samples in `staging` and writes them to the ring, which has the capacity for them.
  mutating func convert(_ count: Int) {
    _ = counter.outputCount(forInput: count)
    for index in 0..<(count * channelCount) { recent[index] = staging[index] }
    recentCount = count
    write(converter.process(staging, inputCount: count, output: converted))
  }

  /// Pushes the newest samples backwards until all samples have come out of the converter: silence would be a step at
  /// the end, which its filter smears over the last samples.
  ///
  /// - Returns: False if the ring is full before that.
  mutating func flush() -> Bool {
    while written - utteranceStart < counter.outputTotal {
      guard ring.freeCount / channelCount >= counter.maximumOutputCount(forInput: chunk) else { return false }
      for index in 0..<chunk {
        for channel in 0..<channelCount {
          staging[index * channelCount + channel] =
            index < recentCount ? recent[(recentCount - 1 - index) * channelCount + channel] : 0
        }
      }
      let given = converter.process(staging, inputCount: chunk, output: converted)
      write(min(given, leading + utteranceStart + counter.outputTotal - written))
    }
    return true
  }

  /// Writes the utterance's last samples, and begins another.
  ///
  /// - Returns: False if the ring is full before that.
  mutating func endUtterance() -> Bool {
    guard flush() else { return false }
    restart()
    return true
  }

  /// Forgets the samples in the converter: the next one begins an utterance.
  mutating func restart() {
    // A converter without memory for a new start keeps its last samples, a fraction of a millisecond.
    recentCount = 0
    guard (try? converter.reset()) != nil else { return }
    counter.reset()
    leading = converter.delay
    utteranceStart = written
  }

  private mutating func write(_ count: Int) {
    let skipped = min(leading, count)
    leading -= skipped
    let region = ring.reserve(upTo: (count - skipped) * channelCount)
    let from = converted + skipped * channelCount
    for index in 0..<region.first.count { region.first[index] = from[index] }
    for index in 0..<region.second.count { region.second[index] = from[region.first.count + index] }
    ring.commit(region.count)
    written += region.count / channelCount
  }
}

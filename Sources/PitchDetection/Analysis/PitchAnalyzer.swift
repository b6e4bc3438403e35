package import AudioGraph

/// Turns frames into candidates, for both live detection and offline tracking.
///
/// frame ─▶ mono, finite ─▶ band, 8 to 16 kHz ─▶ window of 38 ms ─▶ peaks, levels ─▶ candidates with evidence
package struct PitchAnalyzer: ~Copyable {
  /// Time from the middle of the window to the end of the frame that completes it, in seconds.
  package let delaySeconds: Double
  /// Largest number of samples per channel in a frame.
  let maximumSamplesPerChannel: Int
  private var filter: BandFilter
  private var picker: CandidatePicker
  private var meter = LevelMeter()
  /// Detector of sound without a voice, such as single tones.
  private var whistle = PureToneRejector()
  private let windowLength: Int
  /// The window, followed by space for the samples of a frame.
  private let line: UnsafeMutablePointer<Float>
  private let lineLength: Int
  /// Shape: the model's weights, then the features of each candidate.
  private let weights: UnsafeMutablePointer<Float>

  package init(sampleRate: Int) throws(AudioFormatError) {
    _ = try AudioFormat(sampleRate: sampleRate, channelCount: 1)
    maximumSamplesPerChannel = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
    filter = BandFilter(sampleRate: sampleRate, maximumCount: maximumSamplesPerChannel)
    let quarter = Int((filter.sampleRate * 0.009_5).rounded())
    windowLength = 4 * quarter
    picker = CandidatePicker(windowLength: windowLength, sampleRate: filter.sampleRate)
    delaySeconds = filter.delaySeconds + Double(windowLength) / 2 / filter.sampleRate
    // A frame adds a little more than a quarter at most.
    lineLength = windowLength + 2 * quarter
    line = .allocate(capacity: lineLength)
    line.initialize(repeating: 0, count: lineLength)
    let count = CandidateModel.featureCount
    weights = .allocate(capacity: (1 + CandidatePicker.capacity) * count)
    weights.initialize(repeating: 0, count: (1 + CandidatePicker.capacity) * count)
    // In base 2, the base of the smoothers.
    for index in 0..<count { weights[index] = CandidateWeights.values[index] * 1.442_695 }
  }

  deinit {
    line.deallocate()
    weights.deallocate()
  }

  /// Returns the features of a candidate: `CandidateModel.featureCount` values.
  @_noLocks
  package func features(of index: Int) -> UnsafeMutablePointer<Float> {
    weights + (1 &+ index) &* CandidateModel.featureCount
  }

  /// Candidates that `analyze` found; `candidateCount` are valid.
  package var candidates: UnsafeMutablePointer<PitchCandidate> { @_noLocks get { picker.candidates } }
  package var candidateCount: Int { @_noLocks get { picker.count } }

  /// Analyzes a frame of any channel count.
  @_noLocks
  mutating func analyze(_ frame: Frame) {
    let count = frame.samplesPerChannel
    precondition(count <= maximumSamplesPerChannel, "the frame is longer than this rate's longest")
    take(frame.channel(0), count: count)
    if frame.channelCount > 1 {
      for channel in 1..<frame.channelCount { add(frame.channel(channel), count: count) }
      let scale = 1 / Float(frame.channelCount)
      let target = filter.input
      for index in 0..<count { target[index] *= scale }
    }
    analyze(count: count)
  }

  /// Analyzes `count` samples of one channel.
  @_noLocks
  package mutating func analyze(_ samples: UnsafePointer<Float>, count: Int) {
    precondition(count <= maximumSamplesPerChannel, "the frame is longer than this rate's longest")
    take(samples, count: count)
    analyze(count: count)
  }

  /// Returns to the state before the first frame.
  mutating func reset() {
    filter.reset()
    meter.reset()
    whistle.reset()
    for index in 0..<lineLength { line[index] = 0 }
  }

  @_noLocks
  private mutating func analyze(count: Int) {
    whistle.listen(filter.input, count: count)
    let added = filter.run(count: count, to: line + windowLength)
    moveSamples(from: line + added, to: line, count: windowLength)
    if whistle.isOnly(line, count: windowLength, sampleRate: Float(filter.sampleRate)) {
      picker.clear()
    } else {
      picker.pick(line)
    }
    weigh()
  }

  /// Returns a value limited to eight times full scale, so that no square overflows; 0 for NaN and infinity.
  @_noLocks @inline(__always)
  private func tame(_ value: Float) -> Float {
    let magnitude = value.magnitude
    let limited: Float = value > 8 ? 8 : (value < -8 ? -8 : value)
    return magnitude < .infinity ? limited : 0
  }

  @_noLocks
  private func take(_ samples: UnsafePointer<Float>, count: Int) {
    let target = filter.input
    for index in 0..<count { target[index] = tame(samples[index]) }
  }

  @_noLocks
  private func add(_ samples: UnsafePointer<Float>, count: Int) {
    let target = filter.input
    for index in 0..<count { target[index] += tame(samples[index]) }
  }

  /// Measures levels and gives each candidate its evidence.
  @_noLocks
  private mutating func weigh() {
    let quarter = windowLength / 4
    var window: Float = 0
    var loudest: Float = 0
    for index in 0..<4 {
      let part = power(line + index &* quarter, count: quarter)
      window += part
      if part > loudest { loudest = part }
    }
    let middle = power(line + (windowLength / 2 &- quarter / 2), count: quarter)
    let scale = 1 / Float(quarter)
    let level = meter.measure(window: window * scale * 0.25, middle: middle * scale, loudest: loudest * scale)
    var strongest: Float = 0
    for index in 0..<picker.count where candidates[index].periodicity > strongest {
      strongest = candidates[index].periodicity
    }
    for index in 0..<picker.count {
      let values = features(of: index)
      CandidateModel.describe(candidates[index], strongest: strongest, level, to: values)
      var evidence: Float = 0
      for feature in 0..<CandidateModel.featureCount { evidence += weights[feature] * values[feature] }
      candidates[index].evidence = evidence
    }
  }

  @_noLocks
  private func power(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Float {
    var sums = SIMD4<Float>(repeating: 0)
    let signal = UnsafeRawPointer(samples)
    let end = 4 &* (count & ~3)
    var byte = 0
    while byte < end {
      let values = signal.loadUnaligned(fromByteOffset: byte, as: SIMD4<Float>.self)
      sums += values * values
      byte = byte &+ 16
    }
    var sum = sums[0] + sums[1] + (sums[2] + sums[3])
    for index in (count & ~3)..<count { sum += samples[index] * samples[index] }
    return sum
  }
}

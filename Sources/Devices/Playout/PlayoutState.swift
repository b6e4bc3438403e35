import AudioGraph
import Resampling
import Synchronization

/// The tick's half of a device sink: converts frames to the device's clock, and keeps their delay.
///
///     a frame of 10 ms ──▶ converter, at a ratio that follows both clocks ──▶ ring of the device's samples
///
/// The delay is the distance from the sample that the device plays now to the next one written, by the estimate of the
/// device's clock.
///
/// Thread: audio. Real-time: wait-free.
struct PlayoutState: ~Copyable {
  private var samples: RingProducer<Float>
  private var clock: LatestValueReader<ClockModel>
  private var converter: AdaptiveConverter
  private var control = DelayControl()
  private var fade: MirroredFade
  private let progress: UnsafeMutablePointer<StreamProgress>
  private let channelCount: Int
  private let sampleRate: Double
  /// A copy of the tick's frame, which belongs to other sinks too.
  private let frame: Frame
  private let staging: UnsafeMutablePointer<Float>
  private let converted: UnsafeMutablePointer<Float>
  private let capacity: Int

  private var epoch = 0
  /// Samples per channel written to the ring, and those that found it full.
  private var written = 0
  /// Samples of coming frames that are left out, at the graph's rate.
  private var leftOut = 0
  /// Whether whole frames have been left out since the newest alignment.
  private var hasLeftOut = false

  init(
    samples: consuming RingProducer<Float>, clock: consuming LatestValueReader<ClockModel>, format: AudioFormat,
    options: DeviceOptions, frame: Frame, progress: UnsafeMutablePointer<StreamProgress>
  ) throws(ResamplingError) {
    converter = try AdaptiveConverter(
      channelCount: format.channelCount, quality: options.quality.filter)
    self.samples = samples
    self.clock = clock
    self.progress = progress
    self.frame = frame
    channelCount = format.channelCount
    sampleRate = Double(format.sampleRate)
    fade = MirroredFade(channelCount: format.channelCount, sampleRate: format.sampleRate)
    let count = FrameSchedule(sampleRate: format.sampleRate).maximumSamplesPerChannel
    staging = .allocate(capacity: count * format.channelCount)
    staging.initialize(repeating: 0, count: count * format.channelCount)
    // A frame at the highest rate of a device, and what waits in the library.
    capacity = AudioFormat.sampleRates.upperBound / 100 + 1_024
    converted = .allocate(capacity: capacity * format.channelCount)
    converted.initialize(repeating: 0, count: capacity * format.channelCount)
  }

  deinit {
    staging.deallocate()
    converted.deallocate()
  }

  /// Notifies the device thread that no sample will follow. Thread: control, after the last tick.
  func finish() { samples.finish() }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let count = context.tick.samplesPerChannel
    let model = clock.read()
    guard model.isOpen else { return }
    frame.copy(from: context.input(0))
    let nominal = model.nominalRate
    let delay = Double(written) - model.position(atNanoseconds: context.tick.timeNanoseconds)
    var error = (delay - Double(model.target)) / nominal
    let filter = Double(converter.lookAhead) * max(1, sampleRate / model.rate) / sampleRate
    // Frames that come late, all at once, are left out; only the tick behind them knows what the device holds.
    let wasLate = hasLeftOut && leftOut == 0
    if wasLate { hasLeftOut = false }
    if model.epoch != epoch || wasLate && (error > 1e-3 || error < -1e-3) {
      epoch = model.epoch
      // The converter gives its first samples later.
      align(error - filter, nominal)
      error = 0
    }
    let first = leaveOut(count)
    if first < count {
      let rate = control.relativeRate(
        model, error: -error, tolerance: model.tolerance, after: Double(count) / sampleRate)
      let isResting = control.isResting && nominal == sampleRate
      write(
        from: first, count: count,
        ratio: isResting ? 1 / converter.restingStep(count: count) : nominal / sampleRate * rate)
    }
    let total = (delay + Double(model.extraDelay)) / nominal + filter
    progress.pointee.delay.store(Int(total * 1e9), ordering: .relaxed)
  }

  /// Brings the delay to its target at once, behind an interruption: by silence, or by samples that are left out.
  @_noLocks
  private mutating func align(_ error: Double, _ nominal: Double) {
    converter.reset()
    control.restart()
    if error < 0 {
      let missing = Int(-error * nominal)
      let silence = samples.reserve(upTo: missing &* channelCount)
      for index in 0..<silence.first.count { silence.first[index] = 0 }
      for index in 0..<silence.second.count { silence.second[index] = 0 }
      samples.commit(silence.count)
      written &+= silence.count / channelCount
      progress.pointee.inserted.wrappingAdd(missing, ordering: .relaxed)
      fade.armFadeIn()
    } else {
      leftOut = Int(error * sampleRate)
      fade.begin(fade.length)
    }
  }

  /// Returns how many samples of this frame are left out.
  @_noLocks
  private mutating func leaveOut(_ count: Int) -> Int {
    let here = min(count, leftOut)
    leftOut &-= here
    if here == count { hasLeftOut = true }
    progress.pointee.dropped.wrappingAdd(here, ordering: .relaxed)
    return here
  }

  @_noLocks
  private mutating func write(from first: Int, count: Int, ratio: Double) {
    if fade.tailLeft > 0 {
      fade.crossfade(frame, from: first, count: count &- first)
    } else {
      fade.fadeIn(frame, from: first, count: count &- first)
    }
    fade.remember(frame, count)
    Interleaving.interleave(frame, staging)
    converter.setRatio(ratio)
    var taken = first
    while taken < count {
      let result = converter.convert(
        staging + taken &* channelCount, inputCount: count &- taken, output: converted, capacity: capacity)
      push(result.given)
      taken &+= result.taken
      if result.taken == 0, result.given == 0 { break }
    }
  }

  @_noLocks
  private mutating func push(_ count: Int) {
    let region = samples.reserve(upTo: count &* channelCount)
    if let base = region.first.baseAddress { copySamples(from: converted, to: base, count: region.first.count) }
    if let base = region.second.baseAddress {
      copySamples(from: converted + region.first.count, to: base, count: region.second.count)
    }
    samples.commit(region.count)
    written &+= region.count / channelCount
    let lost = count &- region.count / channelCount
    if lost > 0 { progress.pointee.dropped.wrappingAdd(lost, ordering: .relaxed) }
  }
}

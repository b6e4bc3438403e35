import AudioGraph
import Resampling
import Synchronization

/// The tick's half of a device source: converts the device's samples to the tick's clock, and keeps their delay.
///
///     ring of the device's samples ──▶ converter, at a ratio that follows both clocks ──▶ a frame of 10 ms
///
/// The delay is measured in the device's own samples, by the estimate of its clock: position now minus position of the
/// next sample to be played. So neither periods nor late wake-ups disturb it.
///
/// Thread: audio. Real-time: wait-free.
struct CaptureState: ~Copyable {
  /// Delay beyond its target that is taken for lost time and skipped, in seconds.
  private static let skipLimit = 12e-3

  private var samples: RingConsumer<Float>
  private var clock: LatestValueReader<ClockModel>
  private var converter: AdaptiveConverter
  private var control = DelayControl()
  private var fade: MirroredFade
  private let progress: UnsafeMutablePointer<StreamProgress>
  private let channelCount: Int
  private let sampleRate: Double
  private var margin: LateMargin
  private let sourceID: UInt32
  /// One frame of interleaved samples.
  private let staging: UnsafeMutablePointer<Float>

  private var epoch = 0
  private var isRunning = false
  /// Position of the oldest sample in the ring.
  private var oldest = 0
  /// Position of the next sample to be played, in samples of the ring.
  private var position = 0.0
  /// Position of the next sample of the graph.
  private var framePosition = 0
  /// Whether any sound has been given: silence before it is not missing.
  private var hasPlayed = false
  /// Whether the previous frame had sound, behind which a stall needs a fade-out.
  private var isSounding = false

  /// - Parameters:
  ///   - samples: The device's samples, interleaved.
  ///   - clock: The device's clock.
  ///   - format: Format of the frames.
  ///   - options: Settings of the source.
  ///   - sourceID: Source that frames name.
  ///   - progress: Figures for other threads.
  init(
    samples: consuming RingConsumer<Float>, clock: consuming LatestValueReader<ClockModel>, format: AudioFormat,
    options: DeviceOptions, sourceID: UInt32, progress: UnsafeMutablePointer<StreamProgress>
  ) throws(ResamplingError) {
    converter = try AdaptiveConverter(
      channelCount: format.channelCount, quality: options.quality.filter)
    self.samples = samples
    self.clock = clock
    self.progress = progress
    self.sourceID = sourceID
    channelCount = format.channelCount
    sampleRate = Double(format.sampleRate)
    margin = LateMargin(options.margin.seconds)
    fade = MirroredFade(channelCount: format.channelCount, sampleRate: format.sampleRate)
    let frame = FrameSchedule(sampleRate: format.sampleRate).maximumSamplesPerChannel
    staging = .allocate(capacity: frame * format.channelCount)
    staging.initialize(repeating: 0, count: frame * format.channelCount)
  }

  deinit { staging.deallocate() }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let output = context.output(0)
    let count = context.tick.samplesPerChannel
    let time = context.tick.timeNanoseconds
    output.header.pointee.samplePosition = framePosition
    output.header.pointee.sourceID = sourceID
    framePosition &+= count
    margin.pass(Double(count) / sampleRate)
    let model = clock.read()
    if model.epoch != epoch { begin(model) }
    if model.isOpen, advance(model, to: time, count: count) {
      let delay = (model.position(atNanoseconds: time) - position) / model.rate + Double(count) / sampleRate
      let extra = Double(model.extraDelay) / model.nominalRate
      output.header.pointee.captureTimeNanoseconds = time &- Int((delay + extra) * 1e9)
      output.header.pointee.provenance = .captured
      Interleaving.deinterleave(staging, output)
      sound(output, count)
      progress.pointee.delay.store(Int((delay + extra) * 1e9), ordering: .relaxed)
      return
    }
    stall(output, count, isOpen: model.isOpen)
  }

  /// Starts with the samples of another device, or behind a gap that the device reports.
  @_noLocks
  private mutating func begin(_ model: ClockModel) {
    epoch = model.epoch
    isRunning = false
    discard(upTo: model.epochStart)
  }

  /// Fills `staging` with the next samples.
  ///
  /// - Returns: False if they are not there.
  @_noLocks
  private mutating func advance(_ model: ClockModel, to time: Int, count: Int) -> Bool {
    let nominal = model.nominalRate
    let seconds = Double(count) / sampleRate
    // The filter reaches further ahead at a higher rate of the input.
    let lookAhead = Int(Double(converter.lookAhead) * max(1, nominal / sampleRate)) &+ 1
    let target = seconds * nominal + Double(model.periodCount &+ lookAhead) + margin.seconds * nominal
    let now = model.position(atNanoseconds: time)
    if isRunning, now - position - target > Self.skipLimit * nominal {
      skip(to: now - target)
      fade.begin(fade.length)
    }
    if !isRunning {
      guard now - target >= Double(oldest) else { return false }
      // The estimate runs on while a device stands still: its samples must be there too.
      let last = Int(now - target + seconds * nominal) &+ lookAhead
      guard oldest &+ samples.readableCount / channelCount > last else { return false }
      skip(to: now - target)
      fade.armFadeIn(!isSounding)
      control.restart()
      isRunning = true
    }
    let error = (now - position - target) / nominal
    let rate = control.relativeRate(model, error: error, tolerance: margin.seconds / 2, after: seconds)
    let isResting = control.isResting && nominal == sampleRate
    let step = isResting ? converter.restingStep(count: count) : nominal / sampleRate * rate
    let end = position + Double(count) * step
    guard convert(upTo: Int(end) &+ lookAhead, count: count, step: step) else {
      isRunning = false
      return false
    }
    position = end
    return true
  }

  /// Continues at another position; the sound on both sides does not fit together.
  @_noLocks
  private mutating func skip(to wanted: Double) {
    let first = max(oldest, Int(wanted))
    if isRunning { progress.pointee.dropped.wrappingAdd(max(0, first &- Int(position)), ordering: .relaxed) }
    discard(upTo: first)
    position = Double(oldest)
    converter.reset()
  }

  @_noLocks
  private mutating func discard(upTo wanted: Int) {
    let count = min(max(0, wanted &- oldest), samples.readableCount / channelCount)
    samples.release(samples.peek(upTo: count &* channelCount).count)
    oldest &+= count
  }

  /// Converts `count` samples; the ring is read up to a position, or a few samples further.
  @_noLocks
  private mutating func convert(upTo last: Int, count: Int, step: Double) -> Bool {
    converter.setRatio(1 / step)
    let readable = samples.readableCount / channelCount
    guard oldest &+ readable > last else { return false }
    var given = 0
    // The library rounds the length of its filter: a sample more may be needed. It gets no more than that, since
    // samples in the library cannot be skipped any more.
    var wanted = max(1, last &+ 1 &- oldest)
    for _ in 0..<8 {
      let region = samples.peek(upTo: wanted &* channelCount)
      let first = take(region.first, given, count)
      given &+= first.given
      var taken = first.taken
      if taken &* channelCount == region.first.count {
        let second = take(region.second, given, count)
        given &+= second.given
        taken &+= second.taken
      }
      samples.release(taken &* channelCount)
      oldest &+= taken
      if given >= count { return true }
      wanted = 1
    }
    return false
  }

  /// Converts one piece of the ring.
  @_noLocks
  private mutating func take(
    _ piece: UnsafeMutableBufferPointer<Float>, _ given: Int, _ count: Int
  ) -> (taken: Int, given: Int) {
    guard let base = piece.baseAddress, piece.count > 0 else { return (0, 0) }
    return converter.convert(
      base, inputCount: piece.count / channelCount, output: staging + given &* channelCount,
      capacity: count &- given)
  }

  /// Finishes a frame with sound: behind a gap it is faded in.
  @_noLocks
  private mutating func sound(_ output: Frame, _ count: Int) {
    if fade.tailLeft > 0 {
      fade.crossfade(output, from: 0, count: count)
    } else {
      fade.fadeIn(output, from: 0, count: count)
    }
    fade.remember(output, count)
    isSounding = true
    hasPlayed = true
  }

  /// Finishes a frame without sound: the newest sound fades out.
  @_noLocks
  private mutating func stall(_ output: Frame, _ count: Int, isOpen: Bool) {
    output.silence()
    output.header.pointee.provenance = .silence
    guard hasPlayed else { return }
    progress.pointee.inserted.wrappingAdd(count, ordering: .relaxed)
    guard isSounding else { return }
    isSounding = false
    if isOpen {
      progress.pointee.underruns.wrappingAdd(1, ordering: .relaxed)
      margin.noteInterruption()
    }
    fade.begin(fade.length)
    _ = fade.continueTail(output, from: 0)
    output.header.pointee.isSilent = false
    output.header.pointee.provenance = .concealed
  }
}

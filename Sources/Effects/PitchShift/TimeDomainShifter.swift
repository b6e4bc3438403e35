import AudioGraph
import DSP

/// The audio thread's half of a pitch shift.
///
/// It reads the past at another speed, and jumps back or ahead by whole periods. Its distance from the present thus
/// stays around the delay. Positions are 32.32 fixed point, so nothing is lost while they add up.
struct TimeDomainShifter: ~Copyable {
  private let tuning: PitchShiftParameters
  private var history: SampleHistory
  private let bank: SincBank
  private let search: PitchShiftLagSearch
  private let one: Int64 = 1 << 32

  /// Position of reading.
  private var head: Int64
  /// Position at which reading continues after the crossfade.
  private var nextHead: Int64 = 0
  /// Completed part of the crossfade, 0...1, and the part that a sample adds.
  private var fadeProgress: Float = 0
  private var fadeStep: Float = 0
  /// Samples left of the crossfade; 0 without one.
  private var fadeRest = 0
  /// Correlation of the two sides of the crossfade, 0...1.
  private var likeness: Float = 0
  /// Distance of the head from the middle at which the search for a splice begins, in samples.
  private var due = 0.0
  private var ratio: RatioSmoother
  private var isThin = true

  init(
    tuning: PitchShiftParameters, channelCount: Int, sampleRate: Int, target: UnsafeMutablePointer<AtomicFloat>
  ) {
    ratio = RatioSmoother(target)
    self.tuning = tuning
    history = SampleHistory(
      reach: tuning.reach, decimation: tuning.decimation, channelCount: channelCount,
      maximumCount: FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel)
    bank = SincBank(tapCount: tuning.tapCount, phaseCount: tuning.phaseCount)
    search = PitchShiftLagSearch(tuning)
    head = Int64(history.length - tuning.delay) << 32
  }

  @_noLocks
  mutating func render(_ context: RenderContext) { process(context.input(0), into: context.output(0)) }

  /// Takes a frame while the head waits.
  ///
  /// If such frames add up to the delay, reading begins at the start of the first of them.
  @_noLocks
  mutating func show(_ input: Frame) {
    let count = input.samplesPerChannel
    history.take(input.samples, stride: input.stride, count: count)
    history.noteSilence(count: count)
    isThin = false
    history.pass(count: count)
  }

  @_noLocks
  mutating func process(_ input: Frame, into output: Frame) {
    let count = input.samplesPerChannel
    history.take(input.samples, stride: input.stride, count: count)
    let isSilent = history.noteSilence(count: count)
    let (start, wanted) = ratio.next()
    let isExact = start == 1 && wanted == 1 && fadeRest == 0 && lead(0) == 0
    if isSilent {
      // Only silence can be read: the head may move unheard.
      head = Int64(history.length &- tuning.delay &+ count) << 32
      fadeRest = 0
      due = 0
      isThin = false
      output.silence()
    } else if isExact {
      for channel in 0..<output.channelCount {
        copySamples(
          from: history.plane(channel) + (history.length &- tuning.delay), to: output.channel(channel), count: count)
      }
      head = head &+ Int64(count) << 32
      isThin = false
    } else {
      if !isThin { history.thinAll() }
      isThin = true
      history.thin(count: count)
      shift(output, count: count, from: start, to: wanted)
    }
    head = head &- Int64(count) << 32
    nextHead = nextHead &- Int64(count) << 32
    history.pass(count: count)
  }

  @_noLocks
  private mutating func shift(_ output: Frame, count: Int, from start: Double, to end: Double) {
    var index = 0
    while index < count {
      var length = min(tuning.block, count &- index)
      let progress = (Double(index) + 0.5 * Double(length)) / Double(count)
      let ratio = settling(start + (end - start) * progress, index: index, length: length)
      if fadeRest == 0 { considerSplice(index: index, ratio: ratio) }
      let step = Int64(ratio * 0x1p32)
      hurryFade(index: index, ratio: ratio)
      if fadeRest > 0 { length = min(length, fadeRest) }
      keepInside(index: index, length: length, step: step)
      let table = bank.table(ratio: ratio)
      for channel in 0..<output.channelCount {
        write(output.channel(channel) + index, history.plane(channel), table, length: length, step: step)
      }
      head = head &+ Int64(length) &* step
      if fadeRest > 0 {
        nextHead = nextHead &+ Int64(length) &* step
        fadeRest = fadeRest &- length
        fadeProgress += Float(length) * fadeStep
        if fadeRest == 0 { head = nextHead }
      }
      index = index &+ length
    }
  }

  /// Returns the samples by which the head is nearer to the present than the delay, before sample `index` of the frame.
  @_noLocks
  private func lead(_ index: Int) -> Double {
    Double(head &- Int64(history.length &+ index &- tuning.delay) << 32) * 0x1p-32
  }

  /// Returns the ratio at which the head returns to the exact delay.
  ///
  /// This applies at a ratio of 1, with a change of at most 0.9 cents; after that bits are copied.
  @_noLocks
  private mutating func settling(_ ratio: Double, index: Int, length: Int) -> Double {
    guard ratio == 1, fadeRest == 0 else { return ratio }
    let lead = lead(index)
    // Fixed point would circle around the place: a millionth of a sample is not heard.
    if lead.magnitude < 1e-6 {
      head = Int64(history.length &+ index &- tuning.delay) << 32
      return 1
    }
    let needed = -lead / Double(length)
    let most = 0.0005
    return 1 + (needed > most ? most : needed < -most ? -most : needed)
  }

  /// Begins a crossfade if the head has gone so far that half of a jump brings it back to the middle.
  @_noLocks
  private mutating func considerSplice(index: Int, ratio: Double) {
    let drift = (ratio - 1).magnitude
    guard drift > 0.0006 else { return }
    let lead = lead(index)
    let distance = ratio > 1 ? lead : -lead
    guard distance >= due else { return }
    let position = Int(truncatingIfNeeded: (head &+ one / 2) &>> 32)
    let direction = ratio > 1 ? -1 : 1
    // The interpolation reads this far beyond the newest sample that it is requested for.
    let newest = history.length &+ index &- bank.maximumHalf
    let coarse = search.coarse(history, position: position, direction: direction, newest: newest)
    let expected = Double(coarse &* tuning.decimation)
    let fade = fadeLength(lag: expected, drift: drift)
    let reserve = 0.5 * drift * Double(fade)
    let half = 0.5 * expected - reserve
    if distance < half - 1 && distance < 0.5 * Double(tuning.maximumLag) - reserve {
      // The pitch may move meanwhile: the next check is after 2 ms of drift at the latest.
      let latest = distance + 6 * Double(tuning.block)
      due = half < latest ? half : latest
      return
    }
    let found = search.fine(history, coarse: coarse, position: position, direction: direction, newest: newest)
    nextHead = head &+ Int64(direction) &* Int64(found.lag * 0x1p32)
    likeness = found.likeness > 0 ? found.likeness : 0
    fadeRest = fade
    fadeProgress = 0
    fadeStep = 1 / Float(fade &+ 1)
    due = 0.6 * (half > 0 ? half : 0)
  }

  /// Returns the length of a crossfade, which is over before the next one is due.
  @_noLocks
  private func fadeLength(lag: Double, drift: Double) -> Int {
    let between = 0.8 * lag / drift
    return between < Double(tuning.maximumFade) ? Int(between) &+ 1 : tuning.maximumFade
  }

  /// Ends a crossfade sooner if the ratio has risen so far meanwhile that a head would overtake the present.
  @_noLocks
  private mutating func hurryFade(index: Int, ratio: Double) {
    guard fadeRest > 0, ratio > 1 else { return }
    let newest = Int64(history.length &+ index &- bank.maximumHalf &- tuning.block) << 32
    let room = Double(newest &- max(head, nextHead)) * 0x1p-32 / (ratio - 1)
    guard room < Double(fadeRest) else { return }
    fadeRest = max(tuning.block, room > 0 ? Int(room) : 0)
    fadeStep = (1 - fadeProgress) / Float(fadeRest &+ 1)
  }

  /// Keeps both heads at readable samples, however the ratio has changed meanwhile.
  @_noLocks
  private mutating func keepInside(index: Int, length: Int, step: Int64) {
    let half = bank.maximumHalf
    let lowest = Int64(half) << 32
    let highest = Int64(history.length &+ index &+ length &- half &- 1) << 32 &- Int64(length) &* step
    head = min(max(head, lowest), highest)
    if fadeRest > 0 { nextHead = min(max(nextHead, lowest), highest) }
  }

  @_noLocks
  private func write(
    _ output: UnsafeMutablePointer<Float>, _ samples: UnsafePointer<Float>, _ table: SincBank.Table, length: Int,
    step: Int64
  ) {
    if fadeRest == 0 {
      var position = head
      for index in 0..<length {
        output[index] = table.value(samples, at: position)
        position = position &+ step
      }
      return
    }
    var (position, nextPosition) = (head, nextHead)
    for index in 0..<length {
      let weights = FadeWeights(progress: fadeProgress + Float(index &+ 1) * fadeStep, likeness: likeness)
      output[index] =
        weights.old * table.value(samples, at: position) + weights.new * table.value(samples, at: nextPosition)
      position = position &+ step
      nextPosition = nextPosition &+ step
    }
  }
}

/// The weights of the two sides of a crossfade, at constant power.
///
/// For equal sides their sum is 1; for sides without correlation, the sum of their squares is 1.
private struct FadeWeights: BitwiseCopyable {
  let old: Float
  let new: Float

  /// Computes the weights. Shape: `progress` and `likeness` (the correlation) in 0...1.
  @_noLocks @inline(__always)
  init(progress: Float, likeness: Float) {
    let rising = progress * progress * (3 - 2 * progress)
    let falling = 1 - rising
    let power = 1 - 2 * rising * falling * (1 - likeness)
    // 1 / the root of the power, which is in 0.5...1: two steps of Newton from a straight line, good to 1e-5.
    var scale = 1.8 - 0.8 * power
    scale *= 1.5 - 0.5 * power * scale * scale
    scale *= 1.5 - 0.5 * power * scale * scale
    old = falling * scale
    new = rising * scale
  }
}

import AudioGraph
import DSP

/// The audio thread's half of a pitch shift that keeps formants.
///
/// A voice is cut into grains of two periods, each around a pitch mark. The grains are heard at their own speed, but a
/// period of the new pitch after one another.
///
///     voice    ▏╲     ▏╲     ▏╲     ▏╲     a pitch mark and the response of mouth and nose
///     higher   ▏╲   ▏╲   ▏╲   ▏╲   ▏╲      the same responses, sooner; some are heard twice
///
/// Sound without a period passes unchanged. Sound slower than any voice (a DC offset, rumble) passes beside the grains:
/// they would chop it into a tone. Noise of low tones alone, as of traffic, may be taken for a voice now and then. At
/// the beginning and the end of a voice, and in breath, its periods are uncertain; at a low ratio, its last period may
/// be lost.
///
/// Source: Moulines and Charpentier, Pitch-synchronous waveform processing techniques for text-to-speech synthesis
/// using diphones (1990).
struct PSOLAShifter: ~Copyable {
  private let tuning: PitchShiftParameters
  private var slow: SubsonicBypass
  private var history: SampleHistory
  private let reader: GrainReader
  private var beats: PitchMarker
  private let loudness: GrainLoudness
  /// Interval between searches for a new voice, in samples; over it, a grain fades into passing sound.
  private let pause: Double
  private var grains: PSOLASynthesizer
  /// Position at which the next grain is chosen, on the same scale as the places of grains.
  private var choice: Double
  private var ratio: RatioSmoother
  private var isThin = true

  init(
    tuning: PitchShiftParameters, channelCount: Int, sampleRate: Int, target: UnsafeMutablePointer<AtomicFloat>
  ) {
    ratio = RatioSmoother(target)
    self.tuning = tuning
    let maximum = FrameSchedule(sampleRate: sampleRate).maximumSamplesPerChannel
    history = SampleHistory(
      reach: tuning.reach, decimation: tuning.decimation, channelCount: channelCount, maximumCount: maximum)
    slow = SubsonicBypass(
      sampleRate: sampleRate, channelCount: channelCount, length: history.length, maximumCount: maximum)
    reader = GrainReader(tuning)
    beats = PitchMarker(tuning, sampleRate: sampleRate)
    loudness = GrainLoudness(longest: tuning.maximumLag / tuning.decimation + 2)
    grains = PSOLASynthesizer(place: Double(history.length - tuning.delay))
    choice = Double(history.length - tuning.delay)
    pause = 0.005 * Double(sampleRate)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let (input, output) = (context.input(0), context.output(0))
    let count = input.samplesPerChannel
    history.take(input.samples, stride: input.stride, count: count)
    slow.split(history, count: count)
    let isSilent = slow.noteSilence(count: count)
    let (start, wanted) = ratio.next()
    if isSilent {
      passPlainly(count)
      slow.reset()
      output.silence()
    } else if start == 1, wanted == 1, grains.isPlain {
      passPlainly(count)
      for channel in 0..<output.channelCount {
        copySamples(
          from: slow.whole(channel) + (history.length &- tuning.delay), to: output.channel(channel), count: count)
      }
    } else {
      if !isThin { history.thinAll() }
      isThin = true
      history.thin(count: count)
      shift(output, count: count, from: start, to: wanted)
    }
    history.pass(count: count)
    slow.pass(count: count)
    grains.pass(count)
    choice -= Double(count)
  }

  /// Passes a frame of `count` samples unchanged; the next grain may begin behind it.
  @_noLocks
  private mutating func passPlainly(_ count: Int) {
    choice = Double(history.length &+ count &- tuning.delay)
    grains.restart(at: choice)
    isThin = false
  }

  @_noLocks
  private mutating func shift(_ output: Frame, count: Int, from start: Double, to end: Double) {
    var index = 0
    while index < count {
      let first = history.length &+ index &- tuning.delay
      let position = Double(first)
      while choice <= position {
        choose(
          at: position, newest: history.length &+ index, ratio: start + (end - start) * Double(index) / Double(count))
      }
      let rest = Self.ceiling(grains.nextPlace(after: position, before: choice) - position)
      let length = min(count &- index, rest)
      for channel in 0..<output.channelCount {
        write(output.channel(channel) + index, channel, from: first, count: length)
      }
      index = index &+ length
    }
  }

  /// Chooses the next grain.
  ///
  /// - Parameters:
  ///   - position: Position that is heard now.
  ///   - newest: Position behind the last sample that may be read.
  ///   - ratio: Ratio of the pitch shift.
  @_noLocks
  private mutating func choose(at position: Double, newest: Int, ratio: Double) {
    var last = grains.last
    let source = last.place + last.lead
    var distance = pause
    var grain = Grain(place: last.place + pause)
    if let period = beats.period(history, around: Int(source + 0.5), newest: newest, isGoingOn: last.period > 0) {
      if last.period == 0 {
        // A voice begins: unchanged, from its first pitch mark on.
        distance = max(1, beats.beat(history, from: Self.ceiling(last.place), count: Int(period)) - last.place)
      } else {
        distance = period / ratio
        grain.lead = lead(behind: last, period: period, distance: distance, isSettling: ratio == 1)
        grain.gain = gain(behind: last, around: source, period: period, ratio: ratio)
        // Windows follow the pitch marks, slowly; the sound in them stays in its place.
        distance += max(
          -0.02 * period, min(0.02 * period, beats.offset(history, of: source, period: period, newest: newest)))
      }
      grain.place = last.place + distance
      grain.period = period
    }
    if grain.period > 0 && last.period > 0 {
      last.fall = min(last.period, max(grain.period, distance))
      grain.rise = min(min(grain.period, max(last.period, distance)), grain.place - position)
    } else {
      (last.fall, grain.rise) = (distance, distance)
    }
    grains.last = last
    grains.append(grain, after: position)
    choice = grain.place - (ratio > 1 ? grain.period * (1 - 1 / ratio) : 0)
  }

  /// Returns the gain that keeps the loudness; it moves by 2 dB from grain to grain at most.
  @_noLocks
  private func gain(behind last: Grain, around source: Double, period: Double, ratio: Double) -> Float {
    if ratio == 1 { return 1 }
    let step = Double(tuning.decimation)
    let thin = history.thinCount &- Int((Double(history.nextThin) - source) / step + 0.5)
    let known = loudness.gain(
      history, centre: thin, period: period / step, distance: period / ratio / step, last: history.thinCount)
    return max(0.8 * last.gain, min(1.25 * last.gain, known ?? last.gain))
  }

  /// Returns the lead of a grain: whole periods from the last grain's position of reading, as near to its place as
  /// these allow.
  @_noLocks
  private func lead(behind last: Grain, period: Double, distance: Double, isSettling: Bool) -> Double {
    let periods = Int(max(0, (distance - last.lead) / period + 0.5))
    let lead = last.lead + Double(periods) * period - distance
    guard isSettling else { return lead }
    // Back to the exact delay, by less than a cent.
    let most = 0.0005 * distance
    return lead - max(-most, min(most, lead))
  }

  /// Returns the next integer. Shape: not negative.
  @_noLocks
  private static func ceiling(_ value: Double) -> Int {
    let whole = Int(value)
    return Double(whole) < value ? whole &+ 1 : whole
  }

  @_noLocks
  private func write(
    _ output: UnsafeMutablePointer<Float>, _ channel: Int, from first: Int, count: Int
  ) {
    let whole = slow.whole(channel) + first
    if grains.isPlain {
      copySamples(from: whole, to: output, count: count)
      return
    }
    let voice = UnsafePointer(history.plane(channel))
    for index in 0..<count { output[index] = whole[index] - voice[first &+ index] }
    for index in 0..<grains.count { reader.add(grains[index], of: voice, from: first, to: output, count: count) }
  }
}

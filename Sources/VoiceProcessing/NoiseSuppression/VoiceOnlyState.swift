import AudioGraph
import DSP
import Synchronization

/// The audio thread's half of a voice-only mode: windows of the sound, judged 40 ms late, weighed and added up again.
struct VoiceOnlyState: ~Copyable {
  /// Set by any thread. At an address of its own: this struct is changed while it is read.
  let isWanted: UnsafeMutablePointer<Atomic<Bool>>
  private let tuning: VoiceOnlyTuning
  /// Without an offset, rumble and hum.
  private var history: SampleHistory
  /// As it came.
  private var plain: SlidingPlanes
  private let plainLength: Int
  private var offset: DCBlocker
  private var rumble: RumbleFilter
  private var hum: HumRemover
  private var ring: SpectrumRing
  private let cap: TransientSuppressor
  private var noise: NoiseEstimator
  private var keys: KeystrokeDetector
  private var speech: SpeechDetector
  private let spectralGain: SpectralGain
  private let voicing: VoicingMeter
  private var held: SustainedVoiceDetector
  /// Windows after which noise that stays is known: a second.
  private let noiseHops: Int
  /// Sound that is not whole yet: of each channel, what belongs to the next frame first.
  private let sums: SpectrumBuffer
  private let sumLength: Int
  /// Mean power of the newest windows, in a ring.
  private let means: SpectrumBuffer
  private let meanCount: Int
  private var meanPosition = 0
  /// Samples after the frame's beginning at which the next window ends.
  private var untilWindow: Int
  private var hasRendered = false
  private var isRunning = false
  /// Samples since it runs.
  private var ranFor = 0
  /// 1 where the voice alone is heard, 0 where everything is.
  private var level: Float = 0
  private var silentCount: Int
  /// How much is known of the noise yet, 0...1.
  private var listened: Float = 0
  /// False after frames in which nobody asked for the thinned-out past.
  private var isThin = false

  init(tuning: VoiceOnlyTuning, channelCount: Int, isWanted: UnsafeMutablePointer<Atomic<Bool>>) {
    self.isWanted = isWanted
    self.tuning = tuning
    let maximumCount = FrameSchedule(sampleRate: tuning.sampleRate).maximumSamplesPerChannel
    let decimation = max(1, tuning.sampleRate / 4_000)
    voicing = VoicingMeter(sampleRate: tuning.sampleRate, decimation: decimation, channelCount: channelCount)
    noiseHops = tuning.hops(1)
    held = SustainedVoiceDetector(tuning, decimation: decimation)
    offset = DCBlocker(channelCount: channelCount)
    rumble = RumbleFilter(sampleRate: tuning.sampleRate, channelCount: channelCount)
    hum = HumRemover(sampleRate: tuning.sampleRate, decimation: decimation, channelCount: channelCount)
    let reach = max(tuning.delay + tuning.window, (max(voicing.reach, hum.reach) + 16) * decimation) + maximumCount
    history = SampleHistory(
      reach: reach, decimation: decimation, channelCount: channelCount, maximumCount: maximumCount)
    plainLength = tuning.delay
    plain = SlidingPlanes(length: plainLength, channelCount: channelCount, maximumCount: maximumCount)
    ring = SpectrumRing(tuning, channelCount: channelCount)
    cap = TransientSuppressor(tuning)
    noise = NoiseEstimator(tuning)
    keys = KeystrokeDetector(tuning)
    speech = SpeechDetector(tuning)
    spectralGain = SpectralGain(tuning)
    sumLength = tuning.window + maximumCount
    sums = SpectrumBuffer(sumLength, rows: channelCount)
    meanCount = tuning.lookAhead + 5
    means = SpectrumBuffer(meanCount)
    untilWindow = tuning.hop
    silentCount = history.length
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    let input = context.input(0)
    let output = context.output(0)
    let count = input.samplesPerChannel
    history.take(input.samples, stride: input.stride, count: count)
    for channel in 0..<history.channelCount {
      copySamples(
        from: history.plane(channel) + history.length, to: plain.plane(channel) + plainLength, count: count)
    }
    countSilence(count)
    let wanted = isWanted.pointee.load(ordering: .relaxed)
    if !hasRendered { level = wanted ? 1 : 0 }
    if wanted, !isRunning { restart() }
    if silentCount >= history.length &+ count {
      // What is left of the sums is less than any sound.
      sums.fill(0)
      rumble.reset()
      hum.pause()
      passWindows(count)
      isThin = false
      output.silence()
    } else if isRunning {
      offset.remove(from: history, count: count, isSilent: silentCount >= count)
      rumble.filter(history, count: count)
      if !isThin { history.thinAll() }
      isThin = true
      hum.remove(from: history, count: count, isSilent: silentCount >= count)
      history.thin(count: count)
      hum.listen(to: history, count: count)
      runWindows(count)
      // What is heard from the beginning needs no time to fill.
      let target: Float = wanted && (!hasRendered || level > 0 || ranFor >= tuning.delay) ? 1 : 0
      write(output, count: count, from: level, to: target)
      level = target
    } else {
      passWindows(count)
      isThin = false
      write(output, count: count, from: 0, to: 0)
    }
    hasRendered = true
    ranFor = min(ranFor &+ count, Int.max / 2)
    if !wanted, level == 0 { isRunning = false }
    history.pass(count: count)
    plain.pass(count: count)
  }

  /// Begins anew: what was learnt before may be long ago.
  @_noLocks
  private mutating func restart() {
    isRunning = true
    ranFor = 0
    offset.reset()
    rumble.reset()
    hum.reset()
    ring.reset()
    cap.reset()
    noise.reset()
    keys.reset()
    speech.reset()
    held.reset()
    spectralGain.reset()
    sums.fill(0)
    means.fill(0)
    listened = 0
  }

  /// Works on every window that ends in this frame.
  @_noLocks
  private mutating func runWindows(_ count: Int) {
    while untilWindow <= count {
      ring.advance()
      let end = history.length &+ untilWindow
      for channel in 0..<history.channelCount {
        ring.analyze(history.plane(channel) + (end &- tuning.window), channel: channel)
      }
      meanPosition = meanPosition == meanCount &- 1 ? 0 : meanPosition &+ 1
      means.pointer[meanPosition] = ring.finishPower()
      judge(end: end)
      let slot = ring.slot(age: tuning.lookAhead)
      // Where the oldest window lies, seen from this frame's first sample of output.
      let place = untilWindow &+ tuning.delay &- tuning.lookAhead &* tuning.hop &- tuning.window
      for channel in 0..<history.channelCount {
        ring.synthesize(slot, channel: channel, gains: spectralGain.gains.pointer, into: sums.row(channel) + place)
      }
      untilWindow = untilWindow &+ tuning.hop
    }
    untilWindow = untilWindow &- count
  }

  @_noLocks
  private mutating func passWindows(_ count: Int) {
    while untilWindow <= count { untilWindow = untilWindow &+ tuning.hop }
    untilWindow = untilWindow &- count
  }

  /// Computes the gains of the oldest window, whose future is known.
  @_noLocks
  private mutating func judge(end: Int) {
    let slot = ring.slot(age: tuning.lookAhead)
    let (bins, smooth) = (ring.power(slot), ring.smoothPower(slot))
    cap.update(ring)
    let likeness = voicing.voicing(history, end: thinEnd(end))
    speech.count(voicing: likeness)
    let isHeld = held.update(history, end: thinEnd(end), voicing: likeness, isNoiseKnown: noise.seen > noiseHops)
    if isWhole, !isHeld {
      noise.update(cap.power.pointer, cap.smoothPower.pointer, rumble: rumble.presence)
      // Half a second, four times as long under vowels, which hide the noise.
      listened = min(1, listened + (speech.isVowel ? 0.002 : 0.008))
    } else if isWhole {
      noise.lower(cap.smoothPower.pointer)
    }
    speech.update(cap, noise.power.pointer, keys, blur: 1e-4 * noise.strongest, opening: listened)
    keys.update(
      smooth, cap, noise.power.pointer, unvoiced: speech.unvoiced, isVowel: speech.isVowel,
      speechPower: speech.speechPower)
    // Noise 40 dB below speech may stay; 22 dB are taken at most.
    let wanted = 0.5 * fastLog2(speech.speechPower * 1e-4 / (noise.mean + 1e-13))
    let floor = max(-3.654, min(0, wanted)) * listened * listened
    spectralGain.update(bins, smooth, cap, noise.certain.pointer, keys, floor: floor, gate: speech.gate)
  }

  /// False where the oldest window or one that shares samples with it is digital silence, which says nothing about the
  /// noise that comes after it.
  private var isWhole: Bool {
    @_noLocks get {
      for age in (tuning.lookAhead &- 4)...(tuning.lookAhead &+ 4) {
        var index = meanPosition &- age
        if index < 0 { index = index &+ meanCount }
        if means.pointer[index] < 1e-11 { return false }
      }
      return true
    }
  }

  /// Behind the last thinned-out sample that a window's end knows.
  @_noLocks
  private func thinEnd(_ end: Int) -> Int {
    let newest = history.nextThin &- history.decimation &+ 4 &* history.decimation
    let late = newest &- end &+ 1
    return late <= 0 ? history.thinCount : history.thinCount &- (late &+ history.decimation &- 1) / history.decimation
  }

  /// Fades over the frame from one mixture of both sounds to another.
  @_noLocks
  private func write(_ output: Frame, count: Int, from: Float, to: Float) {
    for channel in 0..<output.channelCount {
      let dry = plain.plane(channel)
      let (wet, target) = (sums.row(channel), output.channel(channel))
      if from == 0, to == 0 {
        copySamples(from: dry, to: target, count: count)
      } else if from == 1, to == 1 {
        copySamples(from: wet, to: target, count: count)
      } else {
        let step = (to - from) / Float(count)
        for index in 0..<count {
          let share = from + step * Float(index &+ 1)
          target[index] = dry[index] + share * (wet[index] - dry[index])
        }
      }
      moveSamples(from: wet + count, to: wet, count: sumLength &- count)
      for index in (sumLength &- count)..<sumLength { wet[index] = 0 }
    }
  }

  /// Counts the newest samples that are all zero.
  @_noLocks
  private mutating func countSilence(_ count: Int) {
    for channel in 0..<history.channelCount
    where PeakScan.magnitude(plain.plane(channel) + plainLength, count: count) > 0 {
      silentCount = 0
      return
    }
    silentCount = min(silentCount &+ count, Int.max / 2)
  }
}

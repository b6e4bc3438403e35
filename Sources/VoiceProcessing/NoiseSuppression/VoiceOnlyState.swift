import AudioGraph
import DSP
import Synchronization

/// The audio thread's half of a voice-only mode: weights windows of the sound 40 ms late, and adds them up again.
struct VoiceOnlyState: ~Copyable {
  /// Whether the mode is wanted; set by any thread. It has an address of its own, since this struct changes meanwhile.
  let isWanted: UnsafeMutablePointer<Atomic<Bool>>
  private let tuning: VoiceOnlyTuning
  /// The sound without DC offset, rumble and hum.
  private var history: SampleHistory
  /// The sound as it came.
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
  /// Windows after which steady noise is known: a second.
  private let noiseHops: Int
  /// Incomplete sound of each channel, beginning with the next frame's.
  private let sums: SpectrumBuffer
  private let sumLength: Int
  /// Mean power of the newest windows, in a ring.
  private let means: SpectrumBuffer
  private let meanCount: Int
  private var meanPosition = 0
  /// Samples from the frame's beginning to the end of the next window.
  private var untilWindow: Int
  private var hasRendered = false
  private var isRunning = false
  /// Samples since the mode began to run.
  private var ranFor = 0
  /// Share of the voice alone in the output: 0 is the sound as it came.
  private var level: Float = 0
  private var silentCount: Int
  /// Known share of the noise, 0...1.
  private var listened: Float = 0
  /// Whether the decimated past is up to date; false after frames that did not use it.
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
      // The rest of the sums is weaker than any sound.
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
      // A mode that is on from the first frame needs no time to fill.
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

  /// Restarts, since earlier sound may be long ago.
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

  /// Processes every window that ends in this frame.
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
      // Position of the oldest window, relative to this frame's first sample of output.
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

  /// Computes the gains of the oldest window from it and the windows after it.
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
    // Noise 40 dB below speech may stay; the reduction is at most 22 dB.
    let wanted = 0.5 * fastLog2(speech.speechPower * 1e-4 / (noise.mean + 1e-13))
    let floor = max(-3.654, min(0, wanted)) * listened * listened
    spectralGain.update(bins, smooth, cap, noise.certain.pointer, keys, floor: floor, gate: speech.gate)
  }

  /// Whether the oldest window, and each that shares samples with it, is free of digital silence, which says nothing
  /// about the noise after it.
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

  /// Index behind the last decimated sample that is known at a window's end.
  @_noLocks
  private func thinEnd(_ end: Int) -> Int {
    let newest = history.nextThin &- history.decimation &+ 4 &* history.decimation
    let late = newest &- end &+ 1
    return late <= 0 ? history.thinCount : history.thinCount &- (late &+ history.decimation &- 1) / history.decimation
  }

  /// Fades over the frame between two mixtures of the sound as it came and the voice alone.
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

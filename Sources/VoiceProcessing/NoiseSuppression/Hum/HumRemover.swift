import DSP

#if canImport(Glibc)
  import Glibc
#endif

/// Removes hum of the mains and of motors, also from under words.
///
/// A hum keeps its frequency to a tenth of a hertz. A second is therefore enough to tell it from a man's voice; a
/// window of 16 ms is not. Two hums at once are removed.
struct HumRemover: ~Copyable {
  private let sampleRate: Float
  private let decimation: Int
  private let channelCount: Int
  /// Decimated samples from one spectrum to the next: 20 ms.
  private let hop = 80
  private var phases: HumPhaseSpectrum
  private let search: HumDetector
  private var mains: HarmonicHumTracker
  private var motor: HarmonicHumTracker
  /// Position of the last spectrum's newest sample in the history's planes.
  private var newest = 0
  private var hasBegun = false
  private var untilSearch = 0
  /// Largest agreement of phases that is possible since the sound began, 0...1.
  private var age: Float = 0
  private let aging: Float

  init(sampleRate: Int, decimation: Int, channelCount: Int) {
    self.sampleRate = Float(sampleRate)
    self.decimation = decimation
    self.channelCount = channelCount
    let rate = Double(sampleRate) / Double(decimation)
    let hopSeconds = Double(hop) / rate
    let hertzPerBand = rate / 256
    aging = Float(1 - exp(-hopSeconds))
    phases = HumPhaseSpectrum(channelCount: channelCount, hertzPerBand: hertzPerBand, hopSeconds: hopSeconds)
    search = HumDetector(hertzPerBand: hertzPerBand, hopSeconds: hopSeconds)
    func family(_ bandCount: Int) -> HarmonicHumTracker {
      HarmonicHumTracker(
        channelCount: channelCount, hertzPerBand: hertzPerBand, bandCount: bandCount, hopSeconds: hopSeconds)
    }
    mains = family(phases.bandCount)
    motor = family(phases.bandCount)
  }

  /// Decimated samples that a spectrum needs.
  var reach: Int { phases.length + hop }

  @_noLocks
  mutating func reset() {
    forget()
    age = 0
  }

  /// Lets 10 ms of digital silence pass, after which the earlier sound means nothing.
  @_noLocks
  mutating func pause() {
    if hasBegun { forget() }
    age += 0.5 * aging * (1 - age)
  }

  @_noLocks
  private mutating func forget() {
    hasBegun = false
    phases.reset()
    search.reset()
    mains.reset()
    motor.reset()
  }

  /// Removes the known hum from the newest frame of `count` samples.
  @_noLocks
  func remove(from history: borrowing SampleHistory, count: Int, isSilent: Bool) {
    guard hasBegun else { return }
    let offset = history.length &- (newest &- (phases.length / 2 &- 1) &* decimation)
    mains.remove(from: history, count: count, offset: offset, sampleRate: sampleRate, isSilent: isSilent)
    motor.remove(from: history, count: count, offset: offset, sampleRate: sampleRate, isSilent: isSilent)
  }

  /// Analyzes the rest in the decimated frame, and makes it part of the past.
  @_noLocks
  mutating func listen(to history: borrowing SampleHistory, count: Int) {
    let last = history.nextThin &- decimation
    if !hasBegun {
      hasBegun = true
      newest = last
      untilSearch = 5
    }
    while last &- newest >= hop &* decimation {
      newest = newest &+ hop &* decimation
      look(history, end: history.thinCount &- (last &- newest) / decimation)
    }
    newest = newest &- count
  }

  @_noLocks
  private mutating func look(_ history: borrowing SampleHistory, end: Int) {
    for channel in 0..<channelCount {
      phases.analyze(history.thinPlane(channel) + (end &- phases.length), channel: channel)
    }
    phases.finish()
    age += aging * (1 - age)
    search.update(phases)
    mains.follow(phases)
    motor.follow(phases)
    untilSearch = untilSearch &- 1
    guard untilSearch <= 0 else { return }
    untilSearch = 5
    guard let tone = search.find(phases) else { return }
    search.forget(near: tone.band)
    if mains.holds(tone.hertz) || motor.holds(tone.hertz) { return }
    let isOld = tone.agreement > 0.93 * age
    if !mains.isActive {
      mains.begin(hertz: tone.hertz, isOld: isOld)
    } else if !motor.isActive {
      motor.begin(hertz: tone.hertz, isOld: isOld)
    }
  }
}

import AudioFiles
import AudioGraph
import Effects
import Engine
import FrameObservers
import Glibc
import Playback

/// A pipeline in which very much is played, 128 effects from memory, music and a voice from files, all at once: counts
/// what a tick and its events allocate. Each is a tone of its own, so that what comes out says whether all were heard.
struct SoundsRun {
  private static let effectCount = 128
  private static let sampleRate = 48_000
  private static let ticksPerSecond = 100
  /// Ticks before anything counts: every sound has begun by then.
  private static let warmUp = 200
  private static let counted = 300
  private static let amplitude = 0.004
  /// The effects', the music's and the voice's; between any two lies one that nobody plays.
  private static let hertz = (0..<(effectCount + 2)).map { 100 + 50 * $0 }

  static var toneCount: Int { hertz.count }

  /// What so many ticks did, and how many sounds were there in each second of them.
  struct Result {
    var heap = HeapUse()
    var ticks = 0
    var audible = 0
  }

  private let folder: TemporaryFolder
  private let pipeline: AudioPipeline
  private let heard = HeardSamples(capacity: (Self.warmUp + Self.counted) * Self.sampleRate / Self.ticksPerSecond)

  init(plant: Plant?) throws {
    folder = try TemporaryFolder()
    pipeline = try AudioPipeline(mode: .offline, channelCount: 1)
    let seconds = (Self.warmUp + Self.counted) / Self.ticksPerSecond + 1
    let files = folder
    let paths = try Self.hertz.enumerated().map { index, hertz in
      // Effects repeat themselves; that music does is told, and who is told allocates beside the tick.
      let length = index < Self.effectCount ? 1 : seconds
      return try files.writeTone("\(index).wav", hertz: hertz, seconds: length, peak: Self.amplitude)
    }
    let voice = try AudioFileReader.open(path: paths[Self.effectCount + 1])
    try pipeline.setLocalSource(
      try FileSource(voice, sampleRate: Self.sampleRate, uid: 0, ready: pipeline.bell))
    try pipeline.startAudioMixing(paths[Self.effectCount], cycle: -1)
    for number in 0..<Self.effectCount {
      try pipeline.preloadEffect(number, path: paths[number])
      try pipeline.playEffect(number, SoundEffect(path: paths[number], loopCount: -1))
    }
    let allocates = plant == .sounds
    _ = try pipeline.observe(
      .readOnly(at: .mixed) { [heard] frame, _ in
        if allocates { allocateOnPurpose() }
        heard.append(frame.samples)
      })
  }

  func run() throws -> Result {
    var result = Result()
    try pipeline.startStepping(isEndless: true)
    defer { pipeline.finishStepping() }
    for tick in 0..<(Self.warmUp + Self.counted) {
      result.heap.add(isCounted: tick >= Self.warmUp) {
        if pipeline.waitUntilReady() { pipeline.step(atNanoseconds: tick * 10_000_000) }
      }
    }
    result.ticks = pipeline.tickCount - Self.warmUp
    let seconds = (Self.warmUp / Self.ticksPerSecond)..<((Self.warmUp + Self.counted) / Self.ticksPerSecond)
    result.audible = Self.hertz.count { hertz in
      seconds.allSatisfy { second in
        let samples = heard.samples(second * Self.sampleRate, count: Self.sampleRate)
        return Self.amplitude(of: hertz, in: samples) > 0.9 * Self.amplitude
          && Self.amplitude(of: hertz + 25, in: samples) < 0.1 * Self.amplitude
      }
    }
    return result
  }

  /// The amplitude of a tone of whole periods among others.
  private static func amplitude(of hertz: Int, in samples: UnsafeBufferPointer<Int16>) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for (index, sample) in samples.enumerated() {
      let angle = 2 * Double.pi * Double(index * hertz % sampleRate) / Double(sampleRate)
      real += Double(sample) * cos(angle)
      imaginary += Double(sample) * sin(angle)
    }
    return 2 * hypot(real, imaginary) / Double(samples.count) / 32_768
  }
}

import AudioFiles
import AudioGraph
import Effects
import Engine
import Glibc
import Playback

/// A tick of a pipeline in which very much is played: 128 effects from memory, music and a voice from files, all at
/// once.
enum SoundSubject {
  private static let effectCount = 128

  static func run(_ bench: Bench) throws {
    let name = "128 effects, music and a voice, a tick with its events"
    guard bench.wants(name) else { return }
    let folder = try TemporaryFolder()
    let (short, long) = (folder.path + "/short.wav", folder.path + "/long.wav")
    try StereoFile.make(short, seconds: 1, peak: 0.01, isHollow: false)
    try StereoFile.make(long, seconds: 20, peak: 0.3, isHollow: false)

    let pipeline = try AudioPipeline(mode: .offline)
    let voice = try FileSource(
      try AudioFileReader.open(path: long), sampleRate: 48_000, uid: 0, ready: pipeline.bell)
    try pipeline.setLocalSource(voice)
    try pipeline.startAudioMixing(long, cycle: -1)
    for number in 1...effectCount {
      var effect = SoundEffect(path: short, loopCount: -1)
      effect.gain = try Volume(Double(number) / 2)
      effect.panning = try Panning(Double(number % 21) / 10 - 1)
      try pipeline.preloadEffect(number, path: short)
      try pipeline.playEffect(number, effect)
    }
    try pipeline.startStepping(isEndless: true)
    var ticks = 0
    bench.measure(name, turns: 300, iterations: 4, isPerFrame: true) { count in
      for _ in 0..<count where pipeline.waitUntilReady() {
        pipeline.step(atNanoseconds: ticks * 10_000_000)
        ticks += 1
      }
    }
    try bench.check(pipeline.tickCount == ticks && ticks > 40, "a tick was left out")
    pipeline.finishStepping()
    withExtendedLifetime(folder) {}
  }
}

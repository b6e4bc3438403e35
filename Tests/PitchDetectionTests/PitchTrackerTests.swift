import AudioGraph
import Glibc
import PitchDetection
import TestSupport
import Testing
import VoiceCorpus

@Suite(.timeLimit(.minutes(10))) struct PitchTrackerTests {
  @Test(
    "rows are 10 ms apart, from the first 10 ms to the last", .shows("P3"),
    arguments: [8_000, 16_000, 22_050, 44_100, 48_000])
  func rows(sampleRate: Int) throws {
    let tone = Tones.steady(160, seconds: 0.5, sampleRate: sampleRate)
    let points = try Tracks.offline(tone, sampleRate: sampleRate)
    #expect(points.count == 50)
    #expect(points[0].seconds >= 0 && points[0].seconds < 0.01)
    #expect(points.last!.seconds < 0.5 && points.last!.seconds >= 0.49)
    for (before, after) in zip(points, points.dropFirst()) {
      #expect(abs(after.seconds - before.seconds - 0.01) <= 1 / Double(sampleRate) + 1e-9)
    }
  }

  @Test(
    "recordings shorter than the look-ahead give one row per frame", .shows("P3"),
    arguments: [0, 1, 2, 5, 20, 23])
  func short(frames: Int) throws {
    let tone = Tones.steady(160, seconds: Double(frames) / 100, sampleRate: 16_000)
    #expect(try Tracks.offline(tone, sampleRate: 16_000).count == frames)
  }

  @Test("a frame of other than 10 ms at the end counts with its own length")
  func lastFrame() throws {
    var tracker = try PitchTracker(sampleRate: 16_000)
    let tone = Tones.steady(160, seconds: 0.105, sampleRate: 16_000)
    var points: [PitchPoint] = []
    for begin in stride(from: 0, to: tone.count, by: 160) {
      let count = min(160, tone.count - begin)
      tone.withUnsafeBufferPointer {
        if let point = tracker.process($0.baseAddress! + begin, samplesPerChannel: count) { points.append(point) }
      }
    }
    while let point = tracker.finish() { points.append(point) }
    #expect(points.count == 11 || points.count == 10)
    #expect(points.last!.seconds < 0.105 && points.last!.seconds >= 0.095)
  }

  @Test("a steady tone is voiced with its pitch in every row")
  func steadyTone() throws {
    let tone = Tones.steady(120, seconds: 1, sampleRate: 48_000)
    for point in try Tracks.offline(tone, sampleRate: 48_000).dropFirst(2).dropLast(2) {
      #expect(abs(1_200 * log2(Double(point.estimate.hertz) / 120)) < 5, "at \(point.seconds) s")
      #expect(point.estimate.voicing > 0.9)
      #expect(point.estimate.isVoiced)
    }
  }

  @Test("rows come within 240 ms and do not depend on the sound after them", .shows("P3"))
  func lookAhead() throws {
    let voice = VoiceGenerator(Speaker.all[4], sampleRate: 16_000, seed: 3).speak(seconds: 1.2).samples
    var tracker = try PitchTracker(sampleRate: 16_000)
    var early: [PitchPoint] = []
    Tracks.eachFrame(of: voice, sampleRate: 16_000) { pointer, count, end in
      guard let point = tracker.process(pointer, samplesPerChannel: count) else { return }
      early.append(point)
      #expect(end - point.seconds < 0.24)
    }
    let longer = try Tracks.offline(voice + voice, sampleRate: 16_000)
    #expect(early.count >= 95)
    #expect(early == Array(longer[..<early.count]))
  }

  @Test("the tracker has fewer octave jumps in noise than the live detector", .shows("P3"))
  func smoothness() throws {
    let corpus = SpokenCorpus(seconds: 5, sampleRate: 16_000, in: .noise(.babble, decibels: 10))
    var jumps = (live: 0, offline: 0)
    for utterance in corpus.utterances {
      jumps.live += octaveJumps(try Tracks.live(utterance.samples, sampleRate: 16_000).map(\.hertz))
      jumps.offline += octaveJumps(try Tracks.offline(utterance.samples, sampleRate: 16_000).map(\.estimate.hertz))
    }
    #expect(jumps.offline < jumps.live, "\(jumps)")
  }

  @Test("a reset tracker gives the same rows again, bit for bit")
  func reset() throws {
    let voice = VoiceGenerator(Speaker.all[2], sampleRate: 16_000, seed: 7).speak(seconds: 0.7).samples
    var tracker = try PitchTracker(sampleRate: 16_000)
    let first = Tracks.offline(voice, &tracker)
    tracker.reset()
    #expect(Tracks.offline(voice, &tracker) == first)
  }

  private func octaveJumps(_ track: [Float]) -> Int {
    zip(track, track.dropFirst()).filter { $0 > 0 && $1 > 0 && abs(log2($0 / $1)) > 0.7 }.count
  }
}

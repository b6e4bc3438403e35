import AudioGraph
import Foundation
import PitchDetection
import TestSupport
import Testing
import VoiceCorpus

@Suite(.timeLimit(.minutes(10))) struct PitchDetectorTests {
  @Test(
    "steady tones are found within 5 cents, at every rate", .shows("P1"),
    arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000])
  func steadyTones(sampleRate: Int) throws {
    for hertz in [70.0, 97, 150, 233, 340, 500, 620, 750, 880, 1_000, 1_080] {
      let tone = Tones.steady(hertz, seconds: 0.4, sampleRate: sampleRate)
      for row in try Tracks.live(tone, sampleRate: sampleRate).dropFirst(8) {
        #expect(abs(1_200 * log2(Double(row.hertz) / hertz)) < 5, "\(row.hertz) Hz for \(hertz) Hz at \(sampleRate) Hz")
        #expect(row.voicing > 0.9)
      }
    }
  }

  @Test(
    "a harmonic tone above the range is not taken for a lower octave", .shows("P1"),
    arguments: [8_000, 11_025, 16_000, 22_050, 44_100, 48_000])
  func above(sampleRate: Int) throws {
    for hertz in [1_250.0, 1_300, 1_400, 1_500, 1_700, 2_000] {
      let tone = Tones.steady(hertz, seconds: 0.4, sampleRate: sampleRate)
      let live = try Tracks.live(tone, sampleRate: sampleRate).dropFirst(8).map(\.hertz)
      #expect(live.allSatisfy { $0 == 0 }, "\(live.max() ?? 0) Hz for \(hertz) Hz at \(sampleRate) Hz")
      let offline = try Tracks.offline(tone, sampleRate: sampleRate).dropFirst(8).map(\.estimate.hertz)
      #expect(offline.allSatisfy { $0 == 0 }, "\(offline.max() ?? 0) Hz for \(hertz) Hz at \(sampleRate) Hz")
    }
  }

  @Test(
    "a sine above the range is not taken for any lower pitch", .shows("P1"),
    arguments: [8_000, 11_025, 15_999, 22_050, 44_100, 48_000, 192_000])
  func whistle(sampleRate: Int) throws {
    // Up to nearly half the rate, and those that would be within the range once samples have been left out. Where a
    // tone begins or breaks off is a click, which is anything.
    let step = Double(sampleRate) / 48_000
    let others = [8_300, 16_200, 23_800].map { $0 * step }
    for hertz in [1_200, 1_250, 1_300, 1_400, 1_500, 1_800, 2_000, 2_400, 2_900, 3_300, 3_500, 3_900, 6_000, 12_000]
      + others
    where hertz > 1_150 && hertz < 0.498 * Double(sampleRate) {
      let tone = Tones.steady(hertz, seconds: 0.4, sampleRate: sampleRate, limit: 0)
      let live = try Tracks.live(tone, sampleRate: sampleRate).dropFirst(8).map(\.hertz)
      #expect(live.allSatisfy { $0 == 0 }, "\(live.max() ?? 0) Hz for \(hertz) Hz at \(sampleRate) Hz")
      let offline = try Tracks.offline(tone, sampleRate: sampleRate).dropFirst(8).dropLast(4).map(\.estimate.hertz)
      #expect(offline.allSatisfy { $0 == 0 }, "\(offline.max() ?? 0) Hz for \(hertz) Hz at \(sampleRate) Hz")
    }
  }

  @Test("a voice keeps its pitch beside a 3 kHz beep of three times its level", .shows("P1"))
  func beep() throws {
    let voice = Tones.steady(150, seconds: 0.5, sampleRate: 48_000)
    let beep = Tones.steady(3_000, seconds: 0.5, sampleRate: 48_000, limit: 0)
    let both = zip(voice, beep).map { $0 + 3 * $1 }
    let rows = try Tracks.live(both, sampleRate: 48_000).dropFirst(20)
    #expect(rows.allSatisfy { $0.hertz == 0 || abs($0.hertz - 150) < 2 }, "\(rows.map(\.hertz))")
    #expect(rows.filter { $0.hertz > 0 }.count > rows.count / 2)
  }

  @Test("the highest rates and odd ones work too", arguments: [15_999, 95_999, 192_000])
  func otherRates(sampleRate: Int) throws {
    let tone = Tones.steady(180, seconds: 0.2, sampleRate: sampleRate)
    let last = try #require(try Tracks.live(tone, sampleRate: sampleRate).last)
    #expect(abs(1_200 * log2(Double(last.hertz) / 180)) < 5)
  }

  @Test("a rate that no graph can have is refused", arguments: [0, 7_999, 192_001])
  func wrongRate(sampleRate: Int) {
    #expect(throws: AudioFormatError.sampleRate(sampleRate)) { _ = try PitchDetector(sampleRate: sampleRate) }
  }

  @Test(
    "the delay is the declared one, and below 30 ms", .shows("P1"),
    arguments: [22_050, 48_000])
  func delay(sampleRate: Int) throws {
    let glide = Tones.glide(seconds: 1.2, sampleRate: sampleRate) { 110 * exp2($0) }
    var detector = try PitchDetector(sampleRate: sampleRate)
    #expect(detector.delaySeconds < 0.03)
    var errors: [Double] = []
    for row in Tracks.live(glide, &detector).dropFirst(10) {
      // An octave a second: a millisecond is 1.2 cents.
      errors.append(1_200 * log2(Double(row.hertz) / (110 * exp2(row.seconds))))
    }
    let mean = errors.reduce(0, +) / Double(errors.count)
    #expect(abs(mean) < 1.2, "late by \(-mean / 1.2) ms more than declared")
    #expect(errors.allSatisfy { abs($0) < 8 })
  }

  @Test("silence, a DC offset, hum, clicks and white noise have no pitch", .shows("P1"))
  func unvoiced() throws {
    let count = 48_000
    let signals: [(String, [Float])] = [
      ("silence", [Float](repeating: 0, count: count)), ("an offset", [Float](repeating: 0.8, count: count)),
      ("hum", (0..<count).map { 0.02 * Float(sin(2 * Double.pi * 50 * Double($0) / 48_000)) }),
      ("clicks", (0..<count).map { $0 % 4_800 == 100 ? 0.9 : 0 }),
    ]
    for (name, samples) in signals {
      let voiced = try Tracks.live(samples, sampleRate: 48_000).filter { $0.hertz > 0 }
      #expect(voiced.isEmpty, "\(name): \(voiced.count) frames")
    }
    for level in [Float(1e-4), 0.2] {
      let noise = Tones.noise(seconds: 4, sampleRate: 16_000, level: level, seed: 5)
      let voiced = try Tracks.live(noise, sampleRate: 16_000).filter { $0.hertz > 0 }
      #expect(voiced.count <= 8, "white noise of \(level), seed 5: \(voiced.count) of 400 frames")
    }
  }

  @Test("NaN and infinite samples count as 0, huge ones have no lasting effect", .shows("P1"))
  func wrongSamples() throws {
    let tone = Tones.steady(140, seconds: 0.5, sampleRate: 48_000)
    var (broken, zeroed) = (tone, tone)
    for index in 4_900..<5_000 {
      broken[index] = [Float.nan, .infinity, -.infinity, .signalingNaN][index % 4]
      zeroed[index] = 0
    }
    let rows = try Tracks.live(broken, sampleRate: 48_000)
    #expect(rows.map(\.hertz) == (try Tracks.live(zeroed, sampleRate: 48_000)).map(\.hertz))
    #expect(rows.allSatisfy { $0.hertz.isFinite && $0.voicing >= 0 && $0.voicing <= 1 })
    for index in 4_900..<5_000 { broken[index] = index % 2 == 0 ? 3e38 : -3e38 }
    let last = try #require(try Tracks.live(broken, sampleRate: 48_000).last)
    #expect(abs(last.hertz - 140) < 0.5)
  }

  @Test("a frame of several channels is analysed as the channels' mean", .shows("P1"))
  func channels() throws {
    let mono = Tones.steady(210, seconds: 0.3, sampleRate: 22_050)
    let other = Tones.noise(seconds: 0.3, sampleRate: 22_050, level: 0.05, seed: 9)
    var expected = try PitchDetector(sampleRate: 22_050)
    var detector = try PitchDetector(sampleRate: 22_050)
    let memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 22_050, channelCount: 2))
    let frame = memory[0]
    var begin = 0
    Tracks.eachFrame(of: mono, sampleRate: 22_050) { pointer, count, _ in
      frame.header.pointee.samplesPerChannel = count
      var mean = [Float](repeating: 0, count: count)
      for index in 0..<count {
        frame.channel(0)[index] = pointer[index] + other[begin + index]
        frame.channel(1)[index] = pointer[index] - other[begin + index]
        mean[index] = (frame.channel(0)[index] + frame.channel(1)[index]) * 0.5
      }
      begin += count
      #expect(detector.process(frame) == expected.process(mean, samplesPerChannel: count))
    }
    #expect(begin == 6_615)
  }

  @Test("loudness makes no difference, from -60 dB to clipping in the analysis")
  func loudness() throws {
    let voice = VoiceGenerator(Speaker.all[3], sampleRate: 16_000, seed: 55).speak(seconds: 2)
    let reference = try Tracks.live(voice.samples, sampleRate: 16_000)
    for gain in [Float(0.001), 10] {
      let scaled = try Tracks.live(voice.samples.map { $0 * gain }, sampleRate: 16_000)
      let different = zip(reference, scaled).filter { abs($0.hertz - $1.hertz) > 1 }
      #expect(different.count <= 2, "gain \(gain)")
    }
  }

  @Test("a voice keeps its pitch when it is clipped or has a DC offset")
  func clipped() throws {
    let voice = VoiceGenerator(Speaker.all[3], sampleRate: 16_000, seed: 55).speak(seconds: 4)
    let peak = voice.samples.map(abs).max()!
    for samples in [voice.samples.map { max(-peak / 8, min(peak / 8, $0)) }, voice.samples.map { $0 + 0.4 }] {
      var score = PitchScore()
      for row in try Tracks.live(samples, sampleRate: 16_000) {
        score.compare(row.hertz, with: voice.hertz(at: row.seconds))
      }
      #expect(score.grossErrors < 1)
      #expect(score.withinHalfSemitone > 95)
    }
  }

  @Test("after reset everything is as from the beginning, bit for bit", .shows("P1"))
  func reset() throws {
    let voice = VoiceGenerator(Speaker.all[1], sampleRate: 16_000, seed: 7).speak(seconds: 0.7).samples
    var detector = try PitchDetector(sampleRate: 16_000)
    let first = Tracks.live(voice, &detector)
    detector.reset()
    let second = Tracks.live(voice, &detector)
    #expect(first.map(\.hertz) == second.map(\.hertz))
    #expect(first.map(\.voicing) == second.map(\.voicing))
  }

  @Test("detectors are made and freed on many threads at once")
  func threads() async throws {
    let tone = Tones.steady(130, seconds: 0.1, sampleRate: 16_000)
    try await withThrowingTaskGroup(of: Float.self) { group in
      for index in 0..<64 {
        group.addTask {
          _ = try PitchDetector(sampleRate: 8_000 + 1_000 * (index % 16))
          return try Tracks.live(tone, sampleRate: 16_000).last!.hertz
        }
      }
      for try await hertz in group { #expect(abs(hertz - 130) < 0.5) }
    }
  }
}

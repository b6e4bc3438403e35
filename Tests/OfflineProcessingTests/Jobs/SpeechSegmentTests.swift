import AudioFiles
import AudioGraph
import Engine
import FileTestSupport
import Foundation
import TestSupport
import Testing

@testable import OfflineProcessing

@Suite("Segments of speech", .timeLimit(.minutes(10)))
struct SpeechSegmentTests {
  /// Segments, in milliseconds, of a sound with a letter for each frame of 10 ms: `v` is a voice, `k` a keystroke.
  private func segments(
    _ frames: String, pause: Int = 300, shortest: Int = 200, padding: Int = 100, rate: Int = 8_000
  ) throws -> [ClosedRange<Int>] {
    var settings = SpeechSegmentation()
    settings.longestPause = .milliseconds(pause)
    settings.shortestSegment = .milliseconds(shortest)
    settings.padding = .milliseconds(padding)
    var collector = SegmentCollector(settings, sampleRate: rate)
    let schedule = FrameSchedule(sampleRate: rate)
    for (index, letter) in frames.enumerated() {
      collector.add(
        isVoice: letter != " ", meanSquare: letter == "v" ? 0.01 : letter == "k" ? 0.02 : 1e-5,
        at: schedule.position(ofFrame: index)..<schedule.position(ofFrame: index + 1))
    }
    return try collector.finish(samplesPerChannel: schedule.position(ofFrame: frames.count)).map { segment in
      #expect(segment.startSeconds == Double(segment.startPosition) / Double(rate))
      return Int((segment.startSeconds * 1_000).rounded())...Int((segment.endSeconds * 1_000).rounded())
    }
  }

  private func frames(_ parts: (String, Int)...) -> String {
    parts.map { String(repeating: $0.0, count: $0.1 / 10) }.joined()
  }

  @Test(
    "pauses up to the longest are joined, longer ones divide", .shows("analyze: segments"),
    arguments: [8_000, 11_025, 44_100])
  func pauses(rate: Int) throws {
    let joined = frames((" ", 500), ("v", 400), (" ", 300), ("v", 400), (" ", 500))
    #expect(try segments(joined, rate: rate) == [400...1_700])
    let divided = frames((" ", 500), ("v", 400), (" ", 310), ("v", 400), (" ", 500))
    #expect(try segments(divided, rate: rate) == [400...1_000, 1_110...1_710])
    #expect(try segments(joined, pause: 0) == [400...1_000, 1_100...1_700])
  }

  @Test("shorter speech than the shortest is left out, whatever the padding")
  func shortest() throws {
    let clicks = frames((" ", 500), ("v", 190), (" ", 500), ("v", 200), (" ", 500), ("v", 190))
    #expect(try segments(clicks) == [1_090...1_490])
    #expect(try segments(clicks, shortest: 0).count == 3)
    #expect(try segments(clicks, shortest: 210).isEmpty)
  }

  @Test("speech has a share of steady sound", .shows("analyze: segments"))
  func steadiness() throws {
    // A keystroke, its end and the next one; `.` is the hangover of the detector.
    let typing = String(repeating: "kk........", count: 20)
    let word = String(repeating: "v", count: 18)
    for (frames, isSpeech) in [
      (typing, false), (word + "...." + word, true), (typing + word + typing, false), (typing + word + word, true),
      (String(repeating: "vvvvvvvvvv..........", count: 10), false),
      (String(repeating: "vvvvvvvvvvv.........", count: 10), true),
    ] {
      let sound = self.frames((" ", 500)) + frames + self.frames((" ", 500))
      #expect(try segments(sound).isEmpty != isSpeech, "\(frames)")
    }
  }

  @Test(
    "vowels and whispers are segments, and keystrokes are not", .shows("analyze: segments"),
    arguments: [8_000, 16_000, 44_100, 48_000], [0.000_1, 0.01] as [Float])
  func keystrokes(rate: Int, noise: Float) throws {
    let files = TestFiles()
    var samples = seededNoise(count: 12 * rate, seed: 5, amplitude: noise)
    // Typing from 1 to 5 s: bursts of noise that decay within 60 ms, seven a second.
    for stroke in 0..<28 {
      let (first, count) = (rate + stroke * rate / 7, rate * 6 / 100)
      let burst = seededNoise(count: count, seed: UInt64(stroke + 1), amplitude: 0.3)
      for index in 0..<count { samples[first + index] += burst[index] * exp(-8 * Float(index) / Float(count)) }
    }
    // A whisper, 5.7 to 6.4 s.
    let whisper = seededNoise(count: rate * 7 / 10, seed: 77, amplitude: 0.1)
    for index in 0..<whisper.count { samples[rate * 57 / 10 + index] += whisper[index] }
    // Vowels from 7 to 11 s: pulses through a resonance, 300 ms each, 150 ms apart.
    var (one, two, phase): (Float, Float, Float) = (0, 0, 0)
    for index in 7 * rate..<11 * rate {
      let isOpen = index % (rate * 45 / 100) < rate * 30 / 100
      phase += 130 / Float(rate)
      let pulse: Float = phase >= 1 && isOpen ? 1 : 0
      if phase >= 1 { phase -= 1 }
      let radius = exp(-Float.pi * 120 / Float(rate))
      let value = pulse + 2 * radius * cos(2 * Float.pi * 600 / Float(rate)) * one - radius * radius * two
      (one, two) = (value, one)
      samples[index] += 0.1 * value * 8_000 / Float(rate)
    }
    var analysis = FileAnalysis(.path(try files.write("in.wav", [samples], sampleRate: rate, as: .float32)))
    analysis.speechSegmentation = SpeechSegmentation()
    let result = try analysis.run()
    let segments = Array(try #require(result.speechSegments))
    #expect(segments.allSatisfy { $0.startSeconds > 5.5 } && segments.first!.startSeconds < 5.75, "\(segments)")
    #expect(segments.reduce(0) { $0 + $1.endSeconds - $1.startSeconds } > 3.5, "\(segments)")
    #expect(result.impulsiveSeconds > 2)
  }

  @Test("padding ends at the ends of the sound")
  func clamped() throws {
    #expect(try segments(frames((" ", 50), ("v", 300), (" ", 60))) == [0...410])
    #expect(try segments(frames(("v", 300))) == [0...300])
    #expect(try segments(frames((" ", 300))).isEmpty && segments("").isEmpty)
  }

  @Test("padding of neighbors meets in the middle of their gap")
  func neighbors() throws {
    let near = frames(("v", 300), (" ", 150), ("v", 300))
    #expect(try segments(near, pause: 100) == [0...375, 375...750])
    #expect(try segments(near, pause: 100, padding: 50) == [0...350, 400...750])
  }

  @Test("bursts of noise in silence are segments and count as speech", .shows("analyze: segments"))
  func file() throws {
    let files = TestFiles()
    let rate = 16_000
    var samples = seededNoise(count: 6 * rate, seed: 5, amplitude: 0.000_1)
    let bursts: [ClosedRange<Double>] = [1...1.8, 2.5...3.5, 4.6...4.65]
    for burst in bursts {
      let range = Int(burst.lowerBound * Double(rate))..<Int(burst.upperBound * Double(rate))
      samples.replaceSubrange(range, with: seededNoise(count: range.count, seed: 9, amplitude: 0.3))
    }
    var analysis = FileAnalysis(.path(try files.write("in.wav", [samples], sampleRate: rate, as: .float32)))
    #expect(try analysis.run().speechSegments == nil)
    analysis.speechSegmentation = SpeechSegmentation()
    let result = try analysis.run()
    let segments = Array(try #require(result.speechSegments))
    #expect(segments.count == 2)
    for (segment, burst) in zip(segments, bursts) {
      // The padding of 100 ms; a voice is found after two frames, and its end is bridged for 180 ms at most.
      #expect(segment.startSeconds > burst.lowerBound - 0.11 && segment.startSeconds < burst.lowerBound - 0.07)
      #expect(segment.endSeconds > burst.upperBound + 0.09 && segment.endSeconds < burst.upperBound + 0.29)
    }
    let spoken = (0.8 + 1 + 0.05) / 6
    #expect(result.speechShare > spoken - 0.01 && result.speechShare < spoken + 3 * 0.18 / 6)
    #expect(result.durationSeconds == 6)
  }

  @Test("negative settings are refused")
  func refused() throws {
    let files = TestFiles()
    var analysis = FileAnalysis(.path(try files.write("in.wav", [seededNoise(count: 480, seed: 1)])))
    let settings: [WritableKeyPath<SpeechSegmentation, Duration>] = [\.longestPause, \.shortestSegment, \.padding]
    for setting in settings {
      analysis.speechSegmentation = SpeechSegmentation()
      analysis.speechSegmentation![keyPath: setting] = .milliseconds(-10)
      #expect(throws: EngineError.self) { try analysis.run() }
    }
  }
}

import AudioGraph
import Foundation
import Resampling
import TestSupport
import Testing

/// Two sample rates, in Hz.
struct RatePair: Sendable, CustomTestStringConvertible {
  let from: Int
  let to: Int
  var testDescription: String { "\(from) to \(to) Hz" }

  static func all(from inputs: [Int], to outputs: [Int], equal: Bool = false) -> [RatePair] {
    inputs.flatMap { input in outputs.map { RatePair(from: input, to: $0) } }.filter {
      equal || $0.from != $0.to
    }
  }
}

/// sin(2 pi f t), interleaved, channel c delayed by c quarter periods.
func sine(_ frequency: Double, rate: Int, count: Int, channelCount: Int = 1) -> [Float] {
  var samples = [Float](repeating: 0, count: count * channelCount)
  for index in 0..<count {
    for channel in 0..<channelCount {
      samples[index * channelCount + channel] = sineSample(frequency, rate: rate, at: index, channel: channel)
    }
  }
  return samples
}

func sineSample(_ frequency: Double, rate: Int, at index: Int, channel: Int = 0) -> Float {
  let turns = frequency * Double(index) / Double(rate)
  return Float(0.5 * sin(2 * .pi * (turns - turns.rounded(.down) - 0.25 * Double(channel))))
}

/// Signal to noise, in dB, of one channel against the closed form of the same sine, `delay` samples late.
func signalToNoise(
  _ samples: [Float], _ frequency: Double, rate: Int, delay: Int, in range: Range<Int>, channelCount: Int = 1,
  channel: Int = 0
) -> Double {
  var (signal, noise) = (0.0, 0.0)
  for index in range {
    let expected = Double(sineSample(frequency, rate: rate, at: index - delay, channel: channel))
    let error = Double(samples[index * channelCount + channel]) - expected
    signal += expected * expected
    noise += error * error
  }
  return 10 * log10(signal / max(noise, 1e-30))
}

/// Sends `input` through a converter in 10 ms frames, and checks each call's count against the closed form.
func convertInFrames(_ input: [Float], _ pair: RatePair, _ quality: ConversionQuality, channelCount: Int = 1)
  throws
  -> (output: [Float], delay: Int)
{
  let schedule = FrameSchedule(sampleRate: pair.from)
  var converter = try RateConverter(
    from: pair.from, to: pair.to, channelCount: channelCount, quality: quality,
    maximumInputCount: schedule.maximumSamplesPerChannel)
  let total = input.count / channelCount
  var output = [Float](repeating: .nan, count: (total * pair.to / pair.from + 8) * channelCount)
  var (frame, given) = (0, 0)
  while schedule.position(ofFrame: frame + 1) <= total {
    let begin = schedule.position(ofFrame: frame)
    let end = schedule.position(ofFrame: frame + 1)
    given += input.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        converter.process(
          source.baseAddress! + begin * channelCount, inputCount: end - begin,
          output: target.baseAddress! + given * channelCount)
      }
    }
    if given != end * pair.to / pair.from {
      Issue.record("frame \(frame) of \(pair): \(given) samples so far"); break
    }
    frame += 1
  }
  #expect(converter.insertedCount == 0)
  return (Array(output[..<(given * channelCount)]), converter.delay)
}

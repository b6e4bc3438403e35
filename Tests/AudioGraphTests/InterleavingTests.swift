import AudioGraph
import TestSupport
import Testing

/// Against the definition: sample i of channel c lies at i x channels + c.
@Suite(.timeLimit(.minutes(10))) struct InterleavingTests {
  private static let counts = [1, 2, 3, 8]

  private func filledFrame(_ channelCount: Int, seed: UInt64) throws -> (FrameMemory, Frame) {
    let memory = FrameMemory(count: 1, format: try AudioFormat(sampleRate: 22_050, channelCount: channelCount))
    let frame = memory[0]
    var generator = SeededGenerator(seed: seed)
    for channel in 0..<channelCount {
      for index in 0..<frame.samplesPerChannel {
        frame.channel(channel)[index] = Float.random(in: -1.1...1.1, using: &generator)
      }
    }
    return (memory, frame)
  }

  private func nearest16(_ sample: Float) -> Int16 {
    Int16(max(-32_768, min(32_767, (Double(sample) * 32_768).rounded(.toNearestOrEven))))
  }

  @Test("interleaved 16-bit samples are the frame's, rounded, in their places", arguments: counts)
  func interleaves16(channelCount: Int) throws {
    let (memory, frame) = try filledFrame(channelCount, seed: 1)
    let count = frame.samplesPerChannel
    var output = [Int16](repeating: 77, count: count * channelCount + 1)
    output.withUnsafeMutableBufferPointer { Interleaving.interleave(frame, $0.baseAddress!) }
    for index in 0..<count {
      for channel in 0..<channelCount {
        #expect(output[index * channelCount + channel] == nearest16(frame.channel(channel)[index]))
      }
    }
    #expect(output.last == 77)
    withExtendedLifetime(memory) {}
  }

  @Test("floats come back from their interleaved places unchanged", arguments: counts)
  func roundTrip(channelCount: Int) throws {
    let (memory, frame) = try filledFrame(channelCount, seed: 2)
    let (otherMemory, other) = try filledFrame(channelCount, seed: 3)
    let count = frame.samplesPerChannel
    var interleaved = [Float](repeating: 0, count: count * channelCount)
    interleaved.withUnsafeMutableBufferPointer { Interleaving.interleave(frame, $0.baseAddress!) }
    for index in 0..<count {
      for channel in 0..<channelCount {
        #expect(interleaved[index * channelCount + channel] == frame.channel(channel)[index])
      }
    }
    interleaved.withUnsafeBufferPointer { Interleaving.deinterleave($0.baseAddress!, other) }
    for channel in 0..<channelCount {
      for index in 0..<count { #expect(other.channel(channel)[index] == frame.channel(channel)[index]) }
    }
    withExtendedLifetime((memory, otherMemory)) {}
  }

  @Test("only samples changed in 16 bits are replaced, the others keep all bits", arguments: counts)
  func replacesChanges(channelCount: Int) throws {
    let (memory, frame) = try filledFrame(channelCount, seed: 4)
    let count = frame.samplesPerChannel
    var before = [[Float]](repeating: [], count: channelCount)
    for channel in 0..<channelCount { before[channel] = (0..<count).map { frame.channel(channel)[$0] } }
    var written = [Int16](repeating: 0, count: count * channelCount)
    written.withUnsafeMutableBufferPointer { Interleaving.interleave(frame, $0.baseAddress!) }
    var generator = SeededGenerator(seed: 5)
    var changed = Set<Int>()
    for _ in 0..<50 {
      let place = Int.random(in: 0..<written.count, using: &generator)
      written[place] = written[place] > 0 ? written[place] - 1 : written[place] + 1
      changed.insert(place)
    }
    written.withUnsafeBufferPointer { Interleaving.deinterleaveChanges($0.baseAddress!, frame) }
    for index in 0..<count {
      for channel in 0..<channelCount {
        let place = index * channelCount + channel
        let expected = changed.contains(place) ? Float(written[place]) / 32_768 : before[channel][index]
        // A place that was drawn twice may be back where it was.
        let isSame = written[place] == nearest16(before[channel][index])
        #expect(frame.channel(channel)[index] == (isSame ? before[channel][index] : expected))
      }
    }
    #expect(!changed.isEmpty)
    withExtendedLifetime(memory) {}
  }
}

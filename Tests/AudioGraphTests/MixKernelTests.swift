import AudioGraph
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct MixKernelTests {
  private static let counts = [1, 15, 16, 17, 80, 110, 111, 441, 480]

  @Test("ramps follow the straight line, and the last sample has the ramp's end", arguments: 1...8, counts)
  func ramps(inputCount: Int, count: Int) throws {
    try check(inputCount: inputCount, count: count, adding: false) { index, isLeft in
      isLeft ? Ramp(from: Float(index) / 8, to: 1 - Float(index) / 16) : Ramp(from: 1, to: -0.5)
    }
  }

  @Test("gains that stay are constant through the frame", arguments: 1...8, counts)
  func constants(inputCount: Int, count: Int) throws {
    try check(inputCount: inputCount, count: count, adding: false) { index, isLeft in
      Ramp(constant: isLeft ? 0.25 * Float(index) : -1.5)
    }
  }

  @Test("sums can be added to the samples that the outputs hold", arguments: [1, 8], [false, true])
  func adding(inputCount: Int, ramped: Bool) throws {
    try check(inputCount: inputCount, count: 480, adding: true) { index, _ in
      Ramp(from: 0.5, to: ramped ? Float(index) : 0.5)
    }
  }

  @Test("two outputs in the same memory are written with the left sums alone", arguments: [false, true])
  func oneOutput(ramped: Bool) throws {
    let memory = FrameMemory(count: 2, format: try AudioFormat(sampleRate: 48_000, channelCount: 2))
    for index in 0..<480 {
      memory[0].channel(0)[index] = 1
      memory[0].channel(1)[index] = 100
    }
    let gain = Ramp(from: ramped ? 0 : 0.5, to: 0.5)
    var input = MixInput(left: memory[0].channel(0), right: memory[0].channel(1), leftGain: gain, rightGain: gain)
    let output = memory[1].channel(0)
    MixKernel.mix(&input, inputCount: 1, left: output, right: output, count: 480, adding: false)
    for index in 0..<480 {
      let expected = ramped ? 0.5 * Float(index + 1) / 480 : 0.5
      #expect(abs(output[index] - expected) < 1e-6)
      #expect(memory[1].channel(1)[index] == 0)
    }
  }

  @Test("as many sources as one call takes are summed")
  func maximum() { #expect(MixKernel.maximumInputCount == 8) }

  private func check(
    inputCount: Int, count: Int, adding: Bool, gain: (_ input: Int, _ isLeft: Bool) -> Ramp
  ) throws {
    let seed = UInt64(1_000 * inputCount + count)
    var generator = SeededGenerator(seed: seed)
    let memory = FrameMemory(count: inputCount + 1, format: try AudioFormat(sampleRate: 48_000, channelCount: 2))
    var before: [[Float]] = []
    for frame in 0...inputCount {
      for channel in 0..<2 {
        for index in 0..<480 { memory[frame].channel(channel)[index] = .random(in: -1...1, using: &generator) }
      }
      before = (0..<2).map { Array(UnsafeBufferPointer(start: memory[frame].channel($0), count: 480)) }
    }
    let inputs = (0..<inputCount).map { index in
      MixInput(
        left: memory[index].channel(0), right: memory[index].channel(1), leftGain: gain(index, true),
        rightGain: gain(index, false))
    }
    let output = memory[inputCount]
    MixKernel.mix(
      inputs, inputCount: inputCount, left: output.channel(0), right: output.channel(1), count: count, adding: adding)
    for channel in 0..<2 {
      for index in 0..<count {
        var expected = adding ? Double(before[channel][index]) : 0
        for input in 0..<inputCount {
          let ramp = gain(input, channel == 0)
          let progress = Double(index + 1) / Double(count)
          let level = Double(ramp.start) + (Double(ramp.end) - Double(ramp.start)) * progress
          expected += Double(memory[input].channel(channel)[index]) * level
        }
        let error = abs(Double(output.channel(channel)[index]) - expected)
        // Each product and sum rounds once; no partial sum exceeds 16.
        #expect(error < Double(inputCount + 1) * 0x1p-19, "seed \(seed), channel \(channel), sample \(index)")
      }
    }
  }
}

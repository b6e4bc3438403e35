import DSP
import Testing

/// The oracle is the definition: G.711's decision values lie half a step of the segment below the larger value.
@Suite(.timeLimit(.minutes(10))) struct CompandingTests {
  @Test("each sample of 16 bits is at most half a step of its segment off", arguments: Companding.allCases)
  func nearest(law: Companding) {
    var wrong: [Int] = []
    for value in Int(Int16.min)...Int(Int16.max) {
      let byte = law.byte(of: Int16(value))
      let segment = Int((law == .muLaw ? ~byte : byte ^ 0x55) >> 4 & 7)
      let half = law == .muLaw ? 4 << segment : 8 << max(0, segment - 1)
      // The loudest code also stands for all that is louder.
      let limit = law == .muLaw ? 32_635 : 32_767
      let error = abs(Int(law.sample(of: byte)) - min(max(value, -limit), limit))
      if error > half { wrong.append(value) }
    }
    #expect(wrong.isEmpty, "\(wrong.count) samples, such as \(wrong.prefix(5))")
  }

  @Test("each byte is the code of its own sample, but for the second zero", arguments: Companding.allCases)
  func bytes(law: Companding) {
    let changed = (0..<256).filter { law.byte(of: law.sample(of: UInt8($0))) != UInt8($0) }
    #expect(changed == (law == .muLaw ? [0x7F] : []))
  }
}

import Testing

@testable import Devices

// ALSA's `null` is the one PCM of every machine: it takes all samples, and gives zeros.
@Suite(.timeLimit(.minutes(10)))
struct ALSAStreamTests {
  private func make(_ direction: AudioDirection, _ request: PCMRequest) throws -> ALSAStream {
    let handle = try #require(ALSA.open("null", direction).handle)
    let device = AudioDevice(id: "null", name: "null", direction: direction)
    return ALSAStream(handle, device, try ALSASetup.negotiate(handle, direction, request))
  }

  @Test("a PCM that offers all formats takes the request", arguments: [8000, 16_000, 44_100, 48_000], [1, 2])
  func format(rate: Int, channels: Int) throws {
    let request = PCMRequest(sampleRate: rate, channelCount: channels, periodMilliseconds: 20, periodsPerBuffer: 4)
    let stream = try make(.capture, request)
    let period = rate / 50
    #expect(
      stream.format
        == PCMFormat(sampleRate: rate, channelCount: channels, periodCount: period, bufferCount: 4 * period))
  }

  @Test("a buffer has at least two periods")
  func leastBuffer() throws {
    let request = PCMRequest(sampleRate: 48_000, channelCount: 1, periodMilliseconds: 10, periodsPerBuffer: 1)
    #expect(try make(.playout, request).format.bufferCount >= 960)
  }

  @Test("captured samples are converted, at most a buffer at once")
  func read() throws {
    let stream = try make(.capture, PCMRequest(sampleRate: 48_000, channelCount: 2))
    try stream.start()
    var samples = [Float](repeating: 7, count: 2 * 2000)
    let count = try stream.read(into: &samples, count: 2000)
    #expect(count == stream.format.bufferCount)
    #expect(samples.prefix(2 * count).allSatisfy { $0 == 0 })
    #expect(samples.dropFirst(2 * count).allSatisfy { $0 == 7 })
  }

  @Test("samples can be written before the start, up to a buffer")
  func write() throws {
    let stream = try make(.playout, PCMRequest(sampleRate: 48_000, channelCount: 1))
    let samples = [Float](repeating: 0.5, count: 4000)
    #expect(try stream.write(samples, count: 4000) == stream.format.bufferCount)
    try stream.start()
    #expect(try stream.status().timeNanoseconds > 0)
  }

  @Test("a stream starts again after a recovery")
  func recovery() throws {
    let stream = try make(.playout, PCMRequest(sampleRate: 48_000, channelCount: 1))
    try stream.start()
    try stream.recover(from: .suspended)
    try stream.start()
  }

  @Test("a closed stream is unplugged, and can be closed again")
  func close() throws {
    let stream = try make(.capture, PCMRequest(sampleRate: 48_000, channelCount: 1))
    stream.close()
    stream.close()
    #expect(throws: PCMFault.unplugged) { try stream.status() }
    #expect(throws: PCMFault.unplugged) { try stream.start() }
    #expect(throws: PCMFault.unplugged) { try stream.recover(from: .xrun) }
  }

  @Test("waits for a closed stream take their limit from the second on")
  func waits() throws {
    let stream = try make(.capture, PCMRequest(sampleRate: 48_000, channelCount: 1))
    stream.close()
    stream.wait(atMostMilliseconds: 1000)
    let duration = ContinuousClock().measure { stream.wait(atMostMilliseconds: 20) }
    #expect(duration >= .milliseconds(20))
  }
}

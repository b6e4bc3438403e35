import Glibc
import Testing

@testable import Devices

@Suite(.timeLimit(.minutes(10)))
struct PCMFaultTests {
  @Test(
    "an errno is mapped to the fault of the stream",
    arguments: [
      (EPIPE, .xrun), (ESTRPIPE, .suspended), (ENODEV, .unplugged), (ENOTTY, .unplugged), (ECONNREFUSED, .unplugged),
      (EIO, .failed(EIO)), (EINVAL, .failed(EINVAL)), (EBADFD, .failed(EBADFD)),
    ] as [(Int32, PCMFault)])
  func errno(error: Int32, fault: PCMFault) { #expect(PCMFault(error: error, .usable) == fault) }

  @Test("a call that would have to wait is not a fault", arguments: [EAGAIN, EINTR])
  func wait(error: Int32) { #expect(PCMFault(error: error, .usable) == nil) }

  @Test("a disconnected stream is unplugged whatever the errno", arguments: [EPIPE, EBADFD, EIO, EAGAIN])
  func disconnected(error: Int32) { #expect(PCMFault(error: error, .disconnected) == .unplugged) }

  @Test("a call in the wrong state reports the state")
  func wrongState() {
    #expect(PCMFault(error: EBADFD, .xrun) == .xrun)
    #expect(PCMFault(error: EBADFD, .suspended) == .suspended)
  }

  @Test("a stopped state is a fault without an errno")
  func state() {
    #expect(PCMFault(.usable) == nil)
    #expect(PCMFault(.xrun) == .xrun)
    #expect(PCMFault(.suspended) == .suspended)
    #expect(PCMFault(.disconnected) == .unplugged)
  }
}

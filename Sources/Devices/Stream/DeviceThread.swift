import Platform
import Synchronization

final class DeviceThread: RunningStream {
  private let isEnding: Ending
  private let thread: BackgroundThread
  private final class Ending: Sendable { let flag = Atomic<Bool>(false) }
  init(_ stream: any ServicedStream, named name: String) throws(ThreadError) {
    let ending = Ending()
    isEnding = ending
    thread = try BackgroundThread(named: name) {
      while !ending.flag.load(ordering: .acquiring) {
        stream.service()
        stream.wait()
      }
    }
  }
  func end() {
    isEnding.flag.store(true, ordering: .releasing)
    thread.join()
  }
}

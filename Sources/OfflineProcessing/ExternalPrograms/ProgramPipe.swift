import AudioGraph
import CPlatform
import Glibc

/// The pipes of one running program, for one source's frames.
///
/// Thread: one at a time.
final class ProgramPipe {
  /// Failure of the program; nil if there was none. After a failure nothing is written.
  private(set) var failure: FrameProgramError.Reason?
  /// Bytes offered to the program.
  private(set) var offeredBytes = 0
  /// Bytes that passed: those of a reader's frames that its pipe took, and those that a filter answered.
  private(set) var passedBytes = 0
  /// Whether the wait for an answer was given up, since the job is over.
  private var isGivenUp = false
  private let child: ChildProcess
  private let patienceMilliseconds: Int
  private let onWait: () -> Void
  private let isCancelled: () -> Bool
  private let clock = SystemClock()
  /// Longest wait for a program after a request to stop the job, in milliseconds.
  private static let graceMilliseconds = 1_000

  /// Feeds a process; `onWait` is called whenever the pipe has waited `patienceMilliseconds` without progress.
  init(
    _ child: ChildProcess, patienceMilliseconds: Int, onWait: @escaping () -> Void, isCancelled: @escaping () -> Bool
  ) {
    self.child = child
    self.patienceMilliseconds = patienceMilliseconds
    self.onWait = onWait
    self.isCancelled = isCancelled
  }

  /// Writes bytes for a reader, and waits while it is slow. If a reader has closed its input, the rest is dropped.
  func give(_ bytes: UnsafeRawBufferPointer) {
    offeredBytes += bytes.count
    var rest = bytes[...]
    defer { passedBytes += bytes.count - rest.count }
    var stopTime: Int?
    var stall: (begin: Int, left: Int)?
    while !rest.isEmpty, child.input >= 0 {
      switch put(&rest) {
      case .done: break
      case .closed: child.closeInput()
      case .full:
        let now = clock.nowNanoseconds
        if stall?.left != rest.count { stall = (now, rest.count) }
        tellWait(since: stall!.begin)
        wait(reading: false, milliseconds: 100)
        guard isCancelled() else { continue }
        stopTime = stopTime ?? now + Self.graceMilliseconds * 1_000_000
        if now >= stopTime! { child.closeInput() }
      }
    }
  }

  /// Writes a frame for a filter, and reads an answer of as many bytes, within the limit.
  ///
  /// - Parameters:
  ///   - frame: bytes of the frame.
  ///   - answer: memory for the answer.
  ///   - limitMilliseconds: longest time for the answer.
  /// - Returns: false, with `answer` undefined, if the filter does not answer: with `failure` set, or because the job
  ///   is over.
  func exchange(
    _ frame: UnsafeRawBufferPointer, answer: UnsafeMutableRawBufferPointer, limitMilliseconds: Int
  ) -> Bool {
    guard failure == nil, !isGivenUp else { return false }
    offeredBytes += frame.count
    var left = limitMilliseconds * 1_000_000
    var isOver = false
    var extra: UInt8 = 0
    if read(child.output, &extra, 1) > 0 { return fail(.answeredMore) }
    var rest = frame[...]
    var answered = 0
    while answered < frame.count {
      // A filter need not read all bytes of a frame, as long as it answers.
      if !rest.isEmpty, put(&rest) == .closed { rest = rest[rest.endIndex...] }
      let count = read(child.output, answer.baseAddress! + answered, frame.count - answered)
      if count > 0 {
        answered += count
        passedBytes += count
        continue
      }
      if count == 0 || errno != EAGAIN && errno != EINTR {
        return fail(ending(answered: answered, of: frame.count))
      }
      if !isOver, isCancelled() {
        isOver = true
        left = min(left, Self.graceMilliseconds * 1_000_000)
      }
      guard left > 0 else {
        isGivenUp = isOver
        return isOver ? false : fail(.late(answered: answered, of: frame.count, milliseconds: limitMilliseconds))
      }
      let begin = clock.nowNanoseconds
      let slice = min(100, (left + 999_999) / 1_000_000)
      wait(reading: true, writing: !rest.isEmpty, milliseconds: slice)
      // A wait longer than requested means that the machine stalls, for the filter as well; the excess does not count.
      left -= min(slice * 1_000_000, clock.nowNanoseconds - begin)
    }
    return true
  }

  /// Ends the program's input, and waits for its end; a filter must not write anything more.
  ///
  /// - Returns: the failure; nil if there was none.
  func finish() -> FrameProgramError.Reason? {
    if failure != nil || isGivenUp {
      child.kill()
      return failure
    }
    child.closeInput()
    let begin = clock.nowNanoseconds
    if child.output >= 0, hasMore(since: begin) {
      child.kill()
      return .answeredMore
    }
    var stopTime: Int?
    let ending = child.wait {
      tellWait(since: begin)
      guard isCancelled() else { return false }
      stopTime = stopTime ?? clock.nowNanoseconds + Self.graceMilliseconds * 1_000_000
      return clock.nowNanoseconds >= stopTime!
    }
    switch ending {
    case .exited(0): return nil
    case .exited(let status): return .exit(status)
    // A request to stop the job may have ended the program, too; then its end by a signal is not a failure.
    case .signalled(let number): return isCancelled() ? nil : .signal(number)
    case nil:
      child.kill()
      return nil
    }
  }

  /// Returns the reason for a filter's missing answer: a shell that could not run the filter has an exit status for
  /// that.
  private func ending(answered: Int, of count: Int) -> FrameProgramError.Reason {
    child.closeInput()
    let deadline = clock.nowNanoseconds + Self.graceMilliseconds * 1_000_000
    switch child.wait(until: { clock.nowNanoseconds >= deadline }) {
    case .exited(126): return .exit(126)
    case .exited(127): return .exit(127)
    default: return .ended(answered: answered, of: count)
    }
  }

  private enum Progress {
    case done, full, closed
  }

  private func put(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Progress {
    while !rest.isEmpty {
      let count = write(child.input, UnsafeRawBufferPointer(rebasing: rest).baseAddress!, rest.count)
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        return .full
      } else if errno != EINTR {
        return .closed
      }
    }
    return .done
  }

  private func wait(reading: Bool, writing: Bool = true, milliseconds: Int) {
    var descriptors = [pollfd(fd: child.input, events: writing ? Int16(POLLOUT) : 0, revents: 0)]
    if reading {
      // The wait is for bytes still to be written only: a pipe without a reader would end every wait at once.
      if !writing { descriptors[0].fd = -1 }
      descriptors.append(pollfd(fd: child.output, events: Int16(POLLIN), revents: 0))
    }
    poll(&descriptors, nfds_t(descriptors.count), Int32(milliseconds))
  }

  private func tellWait(since begin: Int) {
    if clock.nowNanoseconds - begin >= patienceMilliseconds * 1_000_000 { onWait() }
  }

  /// Returns whether a filter writes anything after the end of its input.
  private func hasMore(since begin: Int) -> Bool {
    var byte: UInt8 = 0
    while true {
      let count = read(child.output, &byte, 1)
      if count >= 0 { return count > 0 }
      guard errno == EAGAIN || errno == EINTR else { return false }
      if child.poll() != nil || isCancelled() {
        // The filter may have written it between the read and its end.
        return read(child.output, &byte, 1) > 0
      }
      wait(reading: true, writing: false, milliseconds: 100)
      tellWait(since: begin)
    }
  }

  private func fail(_ reason: FrameProgramError.Reason) -> Bool {
    failure = reason
    child.kill()
    return false
  }
}

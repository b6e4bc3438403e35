import Glibc

/// Memory that is overwritten before it is freed.
struct SecretMemory: ~Copyable, @unchecked Sendable {
  // SAFETY (@unchecked Sendable): it has one owner, and only the owner's methods reach the memory.
  private let memory: UnsafeMutableRawBufferPointer

  init(byteCount: Int) {
    memory = .allocate(byteCount: byteCount, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    if let base = memory.baseAddress { explicit_bzero(base, memory.count) }
    memory.deallocate()
  }

  borrowing func read<Result: ~Copyable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(memory))
  }

  mutating func write<Result: ~Copyable>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result { body(memory) }
}

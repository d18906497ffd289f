#include "forerun/wasm/core_api.h"

#include <cstdlib>

#include "forerun/wasm/results.hpp"

using forerun::wasm::results;

int32_t forerun_api_version(void) { return FORERUN_API_VERSION; }

uint8_t* forerun_allocate(uint32_t size) { return static_cast<uint8_t*>(std::malloc(size)); }

void forerun_free(uint8_t* bytes) { std::free(bytes); }

const double* forerun_numbers(void) { return results().numbers.data(); }

const float* forerun_cells(void) { return results().cells; }

const uint8_t* forerun_bytes(void) { return results().bytes.data(); }

const char* forerun_text(void) { return results().text.c_str(); }

uint32_t forerun_text_size(void) { return static_cast<uint32_t>(results().text.size()); }
